/// One row of a result: its place and, in a subclass, its value.
///
/// Never changed; a row that is written gets a new entry.
class ResultEntry: @unchecked Sendable {
    /// The row's place in the order.
    final let key: OrderKey

    init(_ key: OrderKey) {
        self.key = key
    }
}

/// A row with its model.
final class ModelEntry<Model: Stored>: ResultEntry, @unchecked Sendable {
    let model: Model

    init(_ key: OrderKey, _ model: Model) {
        self.model = model
        super.init(key)
    }
}
