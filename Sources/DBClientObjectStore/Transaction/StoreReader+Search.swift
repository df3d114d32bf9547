import CLMDB
import DBClientCore

// Searches by an index of words.
extension StoreReader {
    /// Returns a plan by an index of words, where that is better than another one; nil where it is not, or where the query
    /// asks for nothing that such an index tells.
    func searchPlan(_ query: RowQuery, _ store: EntityStore, insteadOf plan: Plan) throws -> Plan? {
        guard query.condition.hasSearch else { return nil }
        for search in store.searches {
            let found = try IndexedSearch(query, fields: search.columns) {
                try self.searchCursor(search)
            }
            guard let found, try cost(of: plan, atMost: found.estimate) >= found.estimate else {
                continue
            }
            return Plan(
                source: .search(found, search),
                isOrdered: found.isRanked || store.hasIntegerKey && query.isInKeyOrder,
                isExact: found.rest == .constant(true),
                filter: found.rest
            )
        }
        return nil
    }

    /// Returns how many rows of a plan cost as much as others that an index of words has found.
    private func cost(of plan: Plan, atMost limit: Int) throws -> Int {
        switch plan.source {
        case .search: return 0
        case .table(let ranges):
            return ranges.allSatisfy(\.isOneKey) ? ranges.count * Self.searchCost : .max
        case .index(let index, let ranges):
            var cost = 0
            for range in ranges where cost < limit {
                cost += Self.searchCost * (try countValues(of: range, index, atMost: limit))
            }
            return cost
        }
    }

    private func countValues(
        of range: KeyRange,
        _ index: IndexStore,
        atMost limit: Int
    ) throws -> Int {
        range.isOneKey
            ? try countValues(of: range, index)
            : try estimateValues(of: range, index, rowCount: limit)
    }

    /// Looking for words in a row costs as much as taking so many rows from an index of words.
    private static var searchCost: Int { 8 }

    /// Returns a cursor of an index's table, which is given back once it is not used any more.
    func searchCursor(_ search: SearchStore) throws -> SearchTableCursor {
        let cursor = try takeCursor(search.table)
        return SearchTableCursor(cursor, transaction) { self.giveBack(cursor, search.table) }
    }

    /// Calls a function with the records that a search has found, in the order of their primary keys or the best first.
    func forEachFound(
        by found: IndexedSearch,
        _ search: SearchStore,
        _ store: EntityStore,
        _ body: (MDB_val) throws -> Bool
    ) throws {
        let cursor = try takeCursor(store.table)
        defer { giveBack(cursor, store.table) }
        func visit(_ key: UnsafeRawBufferPointer) throws -> Bool {
            guard let record = try cursor.find(MDB_val(key)) else {
                throw DBClientError(
                    .corrupt,
                    "The index of a search names a row that is not there.",
                    entity: store.entity.name
                )
            }
            return try body(record)
        }
        if store.hasIntegerKey {
            let visit: (UInt64) throws -> Bool = { document in
                try withUnsafeBytes(of: document) { try visit($0) }
            }
            return found.isRanked
                ? try found.visitRanked({ $0 < $1 }, visit) : try found.visit(visit)
        }
        let keys = NumberedKeys(try searchCursor(search))
        let byNumber: (UInt64) throws -> Bool = { document in
            try keys.key(document).withUnsafeBytes { try visit($0) }
        }
        if !found.isRanked { return try found.visit(byNumber) }
        try found.visitRanked(
            { left, right in
                let left = try keys.key(left)
                return try left.withUnsafeBytes { left in
                    try keys.key(right).withUnsafeBytes { compareKeys(left, $0) < 0 }
                }
            },
            byNumber
        )
    }

    /// Returns a score with the figures that an index has.
    final func rankFromIndex(
        _ rank: RowExpression,
        of entity: EntitySchema
    ) throws -> RowExpression? {
        guard let store = try store(for: entity) else { return nil }
        let pinCount = transaction.pinCount
        defer { release(to: pinCount) }
        for search in store.searches {
            let found = try rank.withFigures(fields: search.columns) {
                try self.searchCursor(search)
            }
            if let found { return found }
        }
        return nil
    }
}
