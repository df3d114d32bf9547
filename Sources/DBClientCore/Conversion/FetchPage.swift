/// Some values of a request, and where the last of them stands in its order.
struct FetchPage<Model: StoredConvertible>: Sendable {
    let models: [Model]
    /// The values of the sort keys of the last value; nil of no value.
    let end: [StorageValue]?
}

extension FetchRequest {
    /// Returns a request for the values that come after a place in the order of this one.
    func after(place values: [StorageValue]) -> Self {
        continued(Condition(.after(values, in: query.totalOrder, of: query.entity)))
    }
}
