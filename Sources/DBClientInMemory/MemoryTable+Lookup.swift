import DBClientCore

// Rows that are found by their key or an index instead of by a look at all of them.
extension MemoryTable {
    /// What a condition asks of a field by which rows are found.
    struct Lookup {
        let column: Int
        /// None of them null.
        let values: [StorageValue]
    }

    /// Returns the field by which all rows are found that fulfil a condition, and some more; nil where there is none.
    static func lookup(for condition: RowCondition, of model: EntitySchema) -> Lookup? {
        let lookups = answerable(condition).compactMap(Lookup.init)
        if let key = model.primaryKey.first,
            let lookup = lookups.first(where: { $0.column == key && model.primaryKey.count == 1 })
        {
            return lookup
        }
        return lookups.first { lookup in
            model.indexes.contains { $0.fields.first == lookup.column }
        }
    }

    /// Returns the rows that a lookup finds, ascending by their keys.
    func rows(_ lookup: Lookup, of model: EntitySchema) -> [MemoryRow] {
        if model.primaryKey == [lookup.column] { return rows.rows(with: lookup.values) }
        let found = rows(by: lookup.column).rows(with: lookup.values)
        if lookup.values.count == 1 { return found }
        return Array(SortedRows(found, by: model.primaryKey).all)
    }

    /// The conditions that each row fulfils which fulfils a condition, as far as they have an answer for every row.
    private static func answerable(_ condition: RowCondition) -> [RowCondition] {
        switch condition {
        case .all(let operands) where !condition.canFail: operands.flatMap(answerable)
        case .guarded(let guarding, _): answerable(guarding)
        default: condition.canFail ? [] : [condition]
        }
    }
}

extension MemoryTable.Lookup {
    fileprivate init?(_ condition: RowCondition) {
        switch condition {
        case .compare(let column, .equal, let value, .binary):
            self.init(column: column, values: [value])
        case .field(let column, .isIn(let values)):
            self.init(column: column, values: Array(Set(values)))
        default: return nil
        }
        // Floating-point numbers are equal by other rules than those of an order.
        let isExact = values.allSatisfy { value in
            switch value {
            case .integer, .text, .data: true
            case .null, .real: false
            }
        }
        if !isExact { return nil }
    }
}
