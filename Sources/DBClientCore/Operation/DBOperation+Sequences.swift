extension DBOperation {
    /// Returns the operation that runs others one after another and has all their values.
    public static func sequence<Element>(
        _ operations: [DBOperation<Mode, Element>]
    ) -> Self where Value == [Element] {
        let parts = operations.map(\.part)
        return Self(.node(EachNode<OperationPart, Element>(parts) { $0 }))
    }

    /// Returns the operation that runs one operation for each element, in order, and has all their
    /// values.
    ///
    /// ```swift
    /// let rename = WriteOperation.traverse(names) { key, name in
    ///     .update(Character.self, key: key) { $0.set(\.name, to: name) }
    /// }
    /// ```
    ///
    /// An operation is made when its turn comes.
    public static func traverse<Input: Sendable, Element>(
        _ elements: [Input],
        _ transform: @escaping @Sendable (Input) throws -> DBOperation<Mode, Element>
    ) -> Self where Value == [Element] {
        Self(.node(EachNode<Input, Element>(elements) { try transform($0).part }))
    }
}
