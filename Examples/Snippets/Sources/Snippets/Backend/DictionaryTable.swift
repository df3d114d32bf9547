import DBClientCore

/// The rows of an entity by their primary keys.
struct DictionaryTable: Sendable {
    private let entity: EntitySchema
    private(set) var rows: [[StorageValue]: DictionaryRow] = [:]
    /// By the fields of each unique index, the key of the row that has each value.
    private var holders: [[String]: [[StorageValue]: [StorageValue]]] = [:]
    /// The greatest integer key that there ever was, so that a generated one is never used twice.
    private var lastKey: Int64 = 0

    init(_ entity: EntitySchema) {
        self.entity = entity
    }

    /// Returns the table with its rows laid out for a model, whose fields may be in another order.
    ///
    /// - Throws: `.schemaMismatch` where the model has other fields than the rows.
    func laidOut(for other: EntitySchema) throws -> DictionaryTable {
        if other === entity { return self }
        let columns = other.fields.compactMap { field in
            entity.fields.firstIndex { $0.holds(field) }
        }
        guard columns.count == other.fields.count, columns.count == entity.fields.count,
            other.primaryKey.map({ columns[$0] }) == entity.primaryKey
        else {
            let message = "The stored fields differ from the model's."
            throw DBClientError(.schemaMismatch, message, entity: other.name)
        }
        var table = DictionaryTable(other)
        table.lastKey = lastKey
        table.holders = holders
        table.rows = rows.mapValues { $0.moved(columns, to: other) }
        return table
    }

    /// Keeps the unique indexes of a model from now on.
    ///
    /// - Throws: `.uniqueViolation` where two rows have the same value in one of them.
    mutating func keepIndexes(of other: EntitySchema) throws {
        for index in other.indexes where index.isUnique {
            let names = index.fields.map { other.fields[$0].name }
            if holders[names] != nil { continue }
            var held: [[StorageValue]: [StorageValue]] = [:]
            for row in rows.values {
                guard let values = row.values(names) else { continue }
                if held.updateValue(row.key, forKey: values) != nil { throw taken(names, row) }
            }
            holders[names] = held
        }
    }

    private func taken(_ names: [String], _ row: DictionaryRow) -> DBClientError {
        DBClientError(
            .uniqueViolation,
            "Another value has the same unique value.",
            entity: entity.name,
            field: names.joined(separator: ", "),
            key: entity.describe(key: row.key)
        )
    }

    /// Returns an integer that was never a key here and is above another one.
    func nextKey(above given: Int64?) throws -> Int64 {
        let (next, overflow) = max(lastKey, given ?? 0).addingReportingOverflow(1)
        guard !overflow else {
            throw DBClientError(.full, "Every integer key has been used.", entity: entity.name)
        }
        return next
    }

    /// Puts a row in the place of the one with its key, if there is one.
    mutating func put(_ row: DictionaryRow) throws {
        for (names, held) in holders {
            guard let values = row.values(names), let holder = held[values] else { continue }
            if holder != row.key { throw taken(names, row) }
        }
        remove(row.key)
        for names in holders.keys {
            if let values = row.values(names) { holders[names]?[values] = row.key }
        }
        rows[row.key] = row
        if let column = entity.integerKey { lastKey = max(lastKey, row.slot(column).integer) }
    }

    @discardableResult
    mutating func remove(_ key: [StorageValue]) -> DictionaryRow? {
        guard let row = rows.removeValue(forKey: key) else { return nil }
        for names in holders.keys {
            if let values = row.values(names) { holders[names]?[values] = nil }
        }
        return row
    }
}
