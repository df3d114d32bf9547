// Rows of several entities put together, by the stored names of their fields.
extension DynamicRequest {
    /// Returns a request for the rows with those of another request that belong to them.
    ///
    /// ```swift
    /// let lines = DynamicRequest(line).join(
    ///     DynamicRequest(product),
    ///     on: .field("Line.product", .equal, field: "Product.id"))
    /// let dear = lines.filter(.field("Product.price", .greater, 10)).sorted(by: .init("Product.name"))
    /// ```
    ///
    /// The result has an entity of its own, whose fields go by the names of their entity and their own, `Line.price`. An entity that
    /// occurs again is told apart by a number, `Line 2.price`. All that follows names fields so: conditions, sorts, further joins,
    /// groups, and the values of rows. The sort of this request stays; the order is completed by the primary keys of all entities.
    /// Joined rows are read and observed, and never written.
    ///
    /// - Parameters:
    ///   - other: The rows that are joined, without a sort, a limit and an offset.
    ///   - condition: What rows must fulfil to belong together. An absent field equals an absent one.
    /// - Returns: The request. The call that uses it throws `.invalidRequest` for a limit of this request or the other one.
    public func join(_ other: DynamicRequest, on condition: DynamicCondition) -> DynamicRequest {
        DynamicRequest(DynamicJoin(self, other, isOptional: false, on: condition))
    }

    /// Returns a request for every row, with those of another request that belong to it or with nil in their fields.
    ///
    /// It is ``join(_:on:)`` otherwise.
    public func leftJoin(
        _ other: DynamicRequest,
        on condition: DynamicCondition
    ) -> DynamicRequest {
        DynamicRequest(DynamicJoin(self, other, isOptional: true, on: condition))
    }
}
