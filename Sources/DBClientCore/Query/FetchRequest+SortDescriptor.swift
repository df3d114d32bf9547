public import Foundation

extension FetchRequest {
    /// Returns the request with a sort of Foundation's in place of the present one.
    ///
    /// ```swift
    /// try Character.all.sorted(by: [SortDescriptor(\.power, order: .reverse)])
    /// ```
    ///
    /// Values are sorted as they are stored: text by its bytes, which is what `.lexical` does except for
    /// letters that have a composed and a decomposed form, and an enum by its raw value. Absent values come
    /// first, or last in reverse.
    ///
    /// - Throws: `DBClientError` with code `.unsupported` for a comparator that follows a locale,
    ///   `.invalidRequest` for a property that is not stored.
    @_disfavoredOverload
    public func sorted(by descriptors: [SortDescriptor<Model.Storage>]) throws -> Self {
        sorted(by: try descriptors.map { try Ordering($0) })
    }
}

extension Ordering {
    /// Creates a sort from one of Foundation's.
    ///
    /// - Throws: `DBClientError` with code `.unsupported` for a comparator that follows a locale,
    ///   `.invalidRequest` for a property that is not stored.
    public init(_ descriptor: SortDescriptor<Model.Storage>) throws {
        let schema = Model.Storage.schema
        guard let keyPath = descriptor.keyPath,
            let place = try? Model.Storage.place(of: keyPath)
        else {
            let property = descriptor.keyPath.map { "The property \($0)" } ?? "What it sorts by"
            throw DBClientError(
                .invalidRequest,
                "\(property) is not stored.",
                entity: schema.entity.name,
                hint: "Sort by a stored property."
            )
        }
        if let comparator = descriptor.stringComparator {
            guard String.StandardComparator(comparator, order: .forward) == .lexical else {
                throw DBClientError(
                    .unsupported,
                    "A SortDescriptor must not sort by the rules of a locale.",
                    entity: schema.entity.name,
                    field: place.field(of: schema.entity).name,
                    hint: """
                        Give the SortDescriptor the comparator .lexical, or sort by \
                        `$0.field.ascending.natural`.
                        """
                )
            }
        }
        self.init(
            row: RowOrdering(
                column: place.column,
                isDescending: descriptor.order == .reverse,
                path: place.path
            ),
            failure: nil
        )
    }
}
