import DBClientCore

/// Reads every row of an entity, and looks for what the rows refer to.
struct RowCheck: Sendable {
    private let entity: EntitySchema
    private let catalog: EntityCatalog

    /// How many keys are looked for together.
    private static let keyLimit = 500
    /// How many problems of one kind are told.
    private static let problemLimit = 20

    init(_ entity: EntitySchema, _ catalog: EntityCatalog) {
        self.entity = entity
        self.catalog = catalog
    }

    /// Returns the number of rows and what is wrong with some of them.
    func run(in transaction: ReadTransaction) throws -> (rows: Int, problems: [String]) {
        var problems: [String] = []
        var count = 0
        do {
            try transaction.forEach(DynamicRequest(entity)) { _ in
                count += 1
                return true
            }
        } catch let error as DBClientError where [.decoding, .corrupt].contains(error.code) {
            return (count, [Failure.text(error)])
        }
        for relationship in entity.relationships where relationship.rule != .weak {
            let holder = relationship.link?.entity ?? entity
            let columns = relationship.link?.target ?? relationship.columns
            problems += try missing(relationship, holder, columns, in: transaction)
        }
        return (count, problems)
    }

    private func missing(
        _ relationship: RelationshipSchema,
        _ holder: EntitySchema,
        _ columns: [Int],
        in transaction: ReadTransaction
    ) throws -> [String] {
        let name = "\(entity.name).\(relationship.name)"
        guard let target = catalog.entities.first(where: { $0.name == relationship.targetName })
        else {
            let isEmpty =
                try transaction.count(DynamicRequest(holder).filter(isSet(holder, columns))) == 0
            return isEmpty
                ? [] : ["\(name) refers to \(relationship.targetName), which is not stored."]
        }
        var problems: [String] = []
        var keys: [[DynamicValue]] = []
        func lookUp() throws {
            for key in try absent(keys, of: target, in: transaction) {
                let text = key.map { FieldText.text($0) ?? "" }.joined(separator: ", ")
                problems.append("\(name) refers to \(target.name) \(text), which is not stored.")
            }
            keys.removeAll()
        }
        try transaction.forEach(DynamicRequest(holder).filter(isSet(holder, columns))) { row in
            keys.append(columns.map { row[holder.fields[$0].name] ?? .null })
            if keys.count == Self.keyLimit { try lookUp() }
            return problems.count < Self.problemLimit
        }
        try lookUp()
        return problems
    }

    private func isSet(_ entity: EntitySchema, _ columns: [Int]) -> DynamicCondition {
        .all(columns.map { .field(entity.fields[$0].name, .notEqual, nil) })
    }

    private func absent(
        _ keys: [[DynamicValue]],
        of target: EntitySchema,
        in transaction: ReadTransaction
    ) throws -> [[DynamicValue]] {
        guard !keys.isEmpty, keys[0].count == target.primaryKey.count else { return [] }
        guard target.primaryKey.count == 1 else {
            return try keys.filter { try transaction.find(target, key: $0) == nil }
        }
        let field = target.fields[target.primaryKey[0]].name
        let wanted = Set(keys.map { $0[0] })
        let request = DynamicRequest(target).filter(.field(field, isIn: Array(wanted)))
        let found = Set(try transaction.fetch(request).compactMap { $0[field] })
        return wanted.subtracting(found).map { [$0] }
    }
}
