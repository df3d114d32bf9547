import DBClientCore

/// How the rows of an entity in one store differ from those in another, with the rows that differ in memory.
struct EntityDifference: Sendable {
    let entity: EntitySchema
    /// The rows that the target lacks.
    private(set) var inserted: [DynamicRow] = []
    /// The rows that the target has with other values.
    private(set) var updated: [DynamicRow] = []
    /// The keys of the rows that the source lacks.
    private(set) var deleted: [[DynamicValue]] = []

    /// Whether both have the same rows.
    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// As many rows as are compared together.
    private static let pageSize = 1_000

    /// Compares two stores in the order of the keys, a page at a time.
    init(
        of entity: EntitySchema,
        from source: ReadTransaction,
        to target: ReadTransaction
    ) throws {
        self.entity = entity
        var last: DynamicRow?
        while true {
            let request = last.map { DynamicRequest(entity).after($0) } ?? DynamicRequest(entity)
            let page = try source.fetch(request.limit(Self.pageSize))
            let isLast = page.count < Self.pageSize
            let end = isLast ? nil : page.last
            let range = end.map { request.filter($0.isNotBefore) } ?? request
            let old = try target.fetch(range)
            if old != page { compare(old, page) }
            guard let end else { return }
            last = end
        }
    }

    /// Adds what differs of two pages of one range of keys.
    private mutating func compare(_ old: [DynamicRow], _ new: [DynamicRow]) {
        var former: [[DynamicValue]: DynamicRow] = [:]
        for row in old { former[row.key] = row }
        for row in new {
            guard let old = former.removeValue(forKey: row.key) else {
                inserted.append(row)
                continue
            }
            if !old.isAlike(row) { updated.append(row) }
        }
        deleted += former.keys
    }
}

extension DynamicRow {
    /// Whether a copy of another row is this one: JSON of another program is spelt otherwise.
    fileprivate func isAlike(_ other: DynamicRow) -> Bool {
        self == other
            || entity.fields.allSatisfy { field in
                self[field.name] == other[field.name]
                    || self[field.name]?.asStored == other[field.name]?.asStored
            }
    }

    /// The condition of the rows up to this one in the order of the key.
    fileprivate var isNotBefore: DynamicCondition {
        let fields = entity.primaryKey.map { entity.fields[$0].name }
        var alternatives: [DynamicCondition] = []
        for (position, field) in fields.enumerated() {
            let isLast = position == fields.count - 1
            var parts = fields[..<position].map { DynamicCondition.field($0, .equal, key($0)) }
            parts.append(.field(field, isLast ? .lessOrEqual : .less, key(field)))
            alternatives.append(.all(parts))
        }
        return .any(alternatives)
    }

    private func key(_ field: String) -> DynamicValue { self[field] ?? .null }
}
