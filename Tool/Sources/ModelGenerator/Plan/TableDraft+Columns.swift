extension TableDraft {
    /// Decides which columns are fields, and which make the key.
    ///
    /// - Parameter named: The columns that the caller says are the key of what has none.
    /// - Returns: Why there is no model of the table; nil where there is one.
    mutating func findFields(key named: [String]? = nil) -> String? {
        switch table.kind {
        case .table: break
        case .view where named == nil:
            return "A view has no key, by which a model's values are told apart; --key can name it."
        case .foreignTable where named == nil:
            return
                "A foreign table has no key, by which a model's values are told apart; --key can name it."
        case .view, .foreignTable: break
        case .other(let kind): return "A \(kind) cannot be a model."
        }
        if let reason = Self.reason(againstName: table.name) { return "Its name \(reason)." }
        var names: Set<String> = []
        for column in table.columns {
            var reason: String?
            switch column.source {
            case .computed where table.primaryKey.contains(column.name):
                reason = "the database computes it, and a new row could not be found"
            case .computed:
                remarks[column.name] = ["Computed by the database: read, and never written."]
            case .identityAlways where !table.primaryKey.contains(column.name):
                remarks[column.name] = ["Made by the database: read, and never written."]
            default: break
            }
            if reason == nil, case .none(let why) = column.meaning { reason = why }
            if reason == nil {
                reason = Self.reason(againstName: column.name).map { "its name \($0)" }
            }
            if reason == nil, !names.insert(Self.folded(column.name)).inserted {
                reason = "its name differs from another column's in the case of A to Z alone"
            }
            if let reason {
                reasons[column.name] = reason
            } else if case .field(let kind, let remark) = column.meaning {
                kinds[column.name] = kind
                if let remark { remarks[column.name, default: []].append(remark) }
            }
        }
        for column in table.columns {
            guard let reason = reasons[column.name], !column.canBeLeftOut else { continue }
            return
                "Each row needs a value of its column \(column.name), which cannot be a field: \(reason)."
        }
        return findKey(named)
    }

    private mutating func findKey(_ named: [String]?) -> String? {
        if let named {
            key = named
            guard table.primaryKey.isEmpty else {
                return "It has a primary key, so --key must not name another."
            }
            return reason(againstKey: named)
        }
        if table.primaryKey.isEmpty {
            guard let unique = uniqueColumns else {
                return
                    "It has neither a primary key nor a unique index over columns that are never null."
            }
            key = unique
            return nil
        }
        if let reason = reason(againstKey: table.primaryKey) {
            guard let unique = uniqueColumns else { return reason }
            key = unique
            return nil
        }
        key = table.primaryKey
        return nil
    }

    /// The fewest columns that can be a key in place of the primary one.
    private var uniqueColumns: [String]? {
        table.indexes.filter { index in
            index.isPlain && index.isUnique && reason(againstKey: index.columns) == nil
                && index.columns.allSatisfy { table.column(named: $0)?.isRequired == true }
        }
        .map(\.columns)
        .min { ($0.count, $0.joined(separator: "\n")) < ($1.count, $1.joined(separator: "\n")) }
    }

    private func reason(againstKey columns: [String]) -> String? {
        if columns.count > 32 { return "Its key has more than 32 columns." }
        for name in columns {
            guard let column = table.column(named: name), let kind = kinds[name] else {
                return "Its key has the column \(name), which cannot be a field:"
                    + " \(reasons[name] ?? "it is not there")."
            }
            if !kind.canBeKey {
                return
                    "Its key has the column \(name) of the type \(column.declaredType), which cannot be a key."
            }
            if column.holdsNull { return "A row has no value in the column \(name) of its key." }
        }
        return nil
    }

    /// Returns what is wrong with a name that the library cannot keep.
    private static func reason(againstName name: String) -> String? {
        let count = name.utf8.count
        if count == 0 { return "is empty" }
        return count > 63 ? "has \(count) bytes, and the library keeps 63" : nil
    }

    private static func folded(_ name: String) -> String {
        String(
            decoding: name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 },
            as: UTF8.self
        )
    }
}
