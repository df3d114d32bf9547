import DBClientCore

/// The way in which a query is run, chosen from its condition, its sort and the indexes.
struct Plan {
    /// The table or index that candidate records are read from.
    enum Source {
        /// The table, in the order of the primary key.
        case table([KeyRange])
        /// An index, then the table for each primary key that it names.
        case index(IndexStore, [KeyRange])
        /// An index of words, then the table for each row that has what is searched for: the best first where the query
        /// wants that, else by their numbers in the index.
        case search(IndexedSearch, SearchStore)
    }

    var source: Source
    /// Whether records come backwards, each key's primary keys still ascending.
    var isReversed = false
    /// Whether records come in the query's order, so that none have to be sorted.
    var isOrdered: Bool
    /// Whether the ranges alone are the whole condition.
    var isExact: Bool
    /// How many records there are, where that is known without a look at them.
    var recordCount: Int?
    /// What is asked of the records; nil for the query's condition.
    var filter: RowCondition?
}

extension RowQuery {
    /// How many of the first rows are wanted, offset included; nil for all, and for more than there can be.
    var wantedCount: Int? {
        guard let limit else { return nil }
        let (count, overflows) = offset.addingReportingOverflow(limit)
        return overflows ? nil : count
    }
}

extension Plan {
    /// Returns how many rows a query has where that is known, otherwise 0.
    func knownCount(of query: RowQuery) -> Int {
        guard let recordCount else { return 0 }
        return min(max(recordCount - query.offset, 0), query.limit ?? Int.max)
    }

    func description(of query: RowQuery) -> String {
        var lines: [String] = []
        let entity = query.entity
        switch source {
        case .table(let ranges):
            let isAll = ranges == [.all]
            lines.append(
                isAll
                    ? "scan \(entity.name) by primary key"
                    : "search \(entity.name) by primary key, \(count(ranges))"
            )
        case .index(let index, let ranges):
            let fields = index.columns.map { entity.fields[$0].name }.joined(separator: ", ")
            lines.append("search \(entity.name) by index (\(fields)), \(count(ranges))")
        case .search(let found, let search):
            let fields = search.columns.map { entity.fields[$0].name }.joined(separator: ", ")
            lines.append(
                "search \(entity.name) by the words of (\(fields)), at most \(found.estimate) rows"
            )
            if found.isRanked { lines.append("the best first, with scores from the index") }
        }
        if isReversed { lines.append("backwards") }
        if query.condition != .constant(true) && !isExact {
            lines.append("filter on the stored bytes")
        }
        if !isOrdered {
            let fields = query.totalOrder.map {
                $0.field(of: entity).name + ($0.isDescending ? " descending" : "")
            }
            let keep = query.wantedCount.map { ", keep \($0)" } ?? ""
            lines.append("sort by \(fields.joined(separator: ", "))\(keep)")
        }
        return lines.joined(separator: "; ")
    }

    private func count(_ ranges: [KeyRange]) -> String {
        ranges.allSatisfy(\.isOneKey)
            ? "\(ranges.count) key\(ranges.count == 1 ? "" : "s")"
            : "\(ranges.count) range\(ranges.count == 1 ? "" : "s")"
    }
}
