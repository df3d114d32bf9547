/// What is kept of the rows of a query: their places in its order, their keys, and some fields, computed ones among them.
struct KeptRowFields {
    /// The rows that come and go.
    let node: RowNode
    private let derived: DerivedColumns
    private let columns: [Int]
    private let orderings: [RowOrdering]
    private let primaryKey: [Int]
    private var slots: [Slot] = []

    /// Creates it for a query that is kept, of whose order each key is a field of the rows.
    ///
    /// - Parameters:
    ///   - fields: The fields: own ones, and what is computed from such.
    ///   - query: The query.
    init(_ fields: [RowGrouping.Key], of query: RowQuery) {
        let derived = DerivedColumns(fields, of: query.entity)
        self.derived = derived
        columns = fields.map(derived.position(of:))
        orderings = query.orderings
        primaryKey = query.entity.primaryKey
        var looked = Set(fields.filter(\.isOwnField).map(\.column)).union(derived.columns)
        looked.formUnion(primaryKey)
        for ordering in orderings { looked.insert(ordering.column) }
        node = .node(of: query, looking: looked)
    }

    /// Returns the place of a row in the order, and its primary key.
    mutating func place(of row: UnsafePointer<Slot>) -> (key: OrderKey, identity: FieldsKey) {
        slots.removeAll(keepingCapacity: true)
        for ordering in orderings { slots.append(row[ordering.column]) }
        for column in primaryKey { slots.append(row[column]) }
        let key = slots.withUnsafeBufferPointer { OrderKey(of: $0, by: orderings) }
        return (key, FieldsKey(bytes: Array(key.identity)))
    }

    /// Calls a function with the fields of a row.
    ///
    /// - Throws: What computing one of them throws.
    mutating func withFields<Result>(
        of row: UnsafePointer<Slot>,
        _ body: (UnsafeBufferPointer<Slot>) -> Result
    ) throws -> Result {
        try derived.compute(row)
        slots.removeAll(keepingCapacity: true)
        for column in columns { slots.append(derived.slot(column, of: row)) }
        return slots.withUnsafeBufferPointer(body)
    }
}
