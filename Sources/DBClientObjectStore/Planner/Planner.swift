import DBClientCore

/// Chooses how a query is run: by primary key, by an index's equality, range or prefix, along an
/// index for its order, or by a scan of the table.
struct Planner {
    let store: EntityStore
    let query: RowQuery
    let rowCount: Int
    /// Tells about how many rows a range of an index has.
    let countRows: (IndexStore, KeyRange) throws -> Int
    /// Tells whether an index has keys that were shortened.
    let hasShortenedKeys: (IndexStore) throws -> Bool

    private let constraints: Constraints
    private let totalOrder: [RowOrdering]

    /// The most ranges that a list of values is worth.
    private static let rangeLimit = 1_000
    /// Fetching a row through an index costs as much as scanning this many.
    private static let fetchCost = 8

    init(
        _ query: RowQuery,
        _ store: EntityStore,
        rowCount: Int,
        countRows: @escaping (IndexStore, KeyRange) throws -> Int,
        hasShortenedKeys: @escaping (IndexStore) throws -> Bool
    ) {
        self.query = query
        self.store = store
        self.rowCount = rowCount
        self.countRows = countRows
        self.hasShortenedKeys = hasShortenedKeys
        constraints = Constraints(query.condition)
        totalOrder = query.totalOrder
    }

    func plan() throws -> Plan {
        if let plan = primaryKeyPlan() { return plan }
        var best: (plan: Plan, cost: Int)?
        if constraints.conjunctCount > 0 {
            for index in store.indexes {
                guard let candidate = try indexPlan(index) else { continue }
                if candidate.cost < best?.cost ?? Int.max { best = candidate }
            }
        }
        if let best, best.cost * Self.fetchCost < max(rowCount, 100) { return best.plan }
        if let plan = try orderPlan() { return plan }
        return scanPlan()
    }

    private func scanPlan() -> Plan {
        let isBackwards = isKeyOrderReversed
        return Plan(
            source: .table([.all]),
            isReversed: isBackwards,
            isOrdered: isBackwards || query.isInKeyOrder,
            isExact: constraints.conjunctCount == 0,
            recordCount: query.condition == .constant(true) ? rowCount : nil
        )
    }

    /// Whether the query wants the rows in descending order of a primary key of one field.
    private var isKeyOrderReversed: Bool {
        store.entity.primaryKey.count == 1
            && totalOrder.first
                == RowOrdering(
                    column: store.entity.primaryKey[0],
                    isDescending: true
                )
    }

    private func primaryKeyPlan() -> Plan? {
        var builder = RangeBuilder(constraints)
        for column in store.entity.primaryKey {
            let isFixed = store.entity.fields[column].type.hasFixedData
            builder.add(column) { slot, key in key.append(slot, isFixed: isFixed) }
        }
        // A look-up of a key costs as much as scanning some rows.
        let limit = max(Self.rangeLimit, rowCount / Self.fetchCost)
        builder.addKeys(of: store.entity.primaryKey) { position, slot, key in
            let column = store.entity.primaryKey[position]
            key.append(slot, isFixed: store.entity.fields[column].type.hasFixedData)
        }
        guard let ranges = builder.finish(limit, nilPrefix: false) else { return nil }
        let isBackwards = isKeyOrderReversed && ranges.count == 1
        return Plan(
            source: .table(ranges),
            isReversed: isBackwards,
            // Ranges are ascending and apart, so the order holds across them.
            isOrdered: isBackwards || query.isInKeyOrder,
            isExact: builder.expressed == constraints.conjunctCount
        )
    }

    /// Returns the ranges of an index that are the whole condition, so that no record has to be looked at; nil where they
    /// are not.
    ///
    /// The index has no shortened keys.
    func exactRanges(of index: IndexStore) -> [KeyRange]? {
        if constraints.conjunctCount == 0 { return [.all] }
        let builder = rangeBuilder(of: index)
        let limit = max(Self.rangeLimit, rowCount / Self.fetchCost)
        guard builder.expressed == constraints.conjunctCount,
            let (ranges, areWidened) = builder.finish(limit, nilPrefix: true)?.fitted(), !areWidened
        else { return nil }
        return ranges
    }

    /// Returns what makes the ranges of an index that the condition limits rows to.
    private func rangeBuilder(of index: IndexStore) -> RangeBuilder {
        var builder = RangeBuilder(constraints)
        for (position, column) in index.columns.enumerated() {
            builder.add(column) { slot, key in index.append(slot, at: position, to: &key) }
        }
        builder.addKeys(of: index.columns) { position, slot, key in
            index.append(slot, at: position, to: &key)
        }
        return builder
    }

    private func indexPlan(_ index: IndexStore) throws -> (plan: Plan, cost: Int)? {
        let builder = rangeBuilder(of: index)
        guard let exact = builder.finish(Self.rangeLimit, nilPrefix: true) else { return nil }
        let (ranges, areWidened) = exact.fitted()
        let hasShortened = try index.canTruncate && hasShortenedKeys(index)
        var cost = 0
        for range in ranges { cost += try countRows(index, range) }
        let order = orderServed(by: index, after: builder.equalities)
        let isExact =
            builder.expressed == constraints.conjunctCount && !hasShortened && !areWidened
        let plan = Plan(
            source: .index(index, ranges),
            isReversed: order == .backwards && ranges.count == 1,
            isOrdered: ranges.count == 1 && order != nil && !hasShortened,
            isExact: isExact,
            recordCount: isExact && ranges.allSatisfy(\.isOneKey) ? cost : nil
        )
        return (plan, cost)
    }

    /// A walk along an index in the query's order, worth it when only the first rows are wanted and
    /// nothing is filtered out.
    private func orderPlan() throws -> Plan? {
        guard let wanted = query.wantedCount, constraints.conjunctCount == 0,
            query.condition == .constant(true), !query.isInKeyOrder, !isKeyOrderReversed
        else { return nil }
        let (cost, overflows) = wanted.multipliedReportingOverflow(by: Self.fetchCost)
        guard !overflows, cost < rowCount else { return nil }
        for index in store.indexes {
            guard let order = orderServed(by: index, after: []) else { continue }
            if try index.canTruncate && hasShortenedKeys(index) { continue }
            return Plan(
                source: .index(index, [.all]),
                isReversed: order == .backwards,
                isOrdered: true,
                isExact: true,
                recordCount: rowCount
            )
        }
        return nil
    }

    private enum IndexOrder {
        case forwards
        case backwards
    }

    /// Returns in which direction an index yields the query's order, given the columns that are
    /// fixed to one value, or nil when it does not.
    private func orderServed(by index: IndexStore, after fixed: Set<Int>) -> IndexOrder? {
        var wanted = totalOrder.filter { ordering in
            !fixed.contains { ordering.isExact($0) }
        }
        let natural = index.columns.filter { !fixed.contains($0) }
        let keyOrder = store.entity.primaryKey.filter { !fixed.contains($0) }
            .map { RowOrdering(column: $0) }
        let forwards = natural.map { RowOrdering(column: $0) } + keyOrder
        // What follows the complete primary key never matters.
        wanted = Array(wanted.prefix(forwards.count))
        if Array(forwards.prefix(wanted.count)) == wanted { return .forwards }
        if natural.count == 1 {
            let backwards = [RowOrdering(column: natural[0], isDescending: true)] + keyOrder
            if Array(backwards.prefix(wanted.count)) == wanted { return .backwards }
        }
        return nil
    }
}

/// Builds the ranges of a key from the constraints on its columns, most significant first.
private struct RangeBuilder {
    let constraints: Constraints
    /// The columns fixed to one value each.
    private(set) var equalities = Set<Int>()
    /// The conjuncts that the ranges express.
    private(set) var expressed = 0
    private var prefixes: [[UInt8]] = [[]]
    private var ranges: [KeyRange]?
    private var isOpen = true
    private var usedColumns = 0
    private var columnCount = 0

    /// More ranges than this are not made of lists on several columns.
    private static let rangeLimit = 1_000

    init(_ constraints: Constraints) {
        self.constraints = constraints
    }

    /// Adds the next column of the key.
    mutating func add(_ column: Int, _ append: (Slot, inout KeyWriter) -> Void) {
        columnCount += 1
        guard isOpen, let constraint = constraints.columns[column] else {
            isOpen = false
            return
        }
        func encode(_ value: StorageValue) -> [UInt8] {
            var key = KeyWriter()
            defer { key.deallocate() }
            value.withSlot { append($0, &key) }
            return Array(key.bytes)
        }
        if let values = constraint.values {
            // Lists on several columns multiply; the filter does the rest.
            let product = prefixes.count.multipliedReportingOverflow(by: values.count)
            if usedColumns > 0, product.overflow || product.partialValue > Self.rangeLimit {
                isOpen = false
                return
            }
            // A primary key has no form for nil, and no row has it.
            let encoded = values.map(encode).filter { !$0.isEmpty }
            prefixes = prefixes.flatMap { prefix in encoded.map { prefix + $0 } }
            if values.count == 1 { equalities.insert(column) }
            // Further constraints on the column, if any, are left to the filter.
            expressed += constraint.isRange ? 0 : constraint.expressed
            usedColumns += 1
            isOpen = prefixes.count <= Self.rangeLimit
        } else if constraint.isRange {
            ranges = prefixes.compactMap { prefix in
                range(constraint, after: prefix, isNullable: encode(.null), encode)
            }
            let only =
                constraint.prefix == nil || constraint.lower == nil && constraint.upper == nil
            expressed += only ? constraint.expressed : 0
            usedColumns += 1
            isOpen = false
        }
    }

    /// Takes the keys that several columns together are one of, where these columns are the first of the key
    /// and nothing else limits the first of all.
    mutating func addKeys(
        of columns: [Int],
        _ append: (Int, Slot, inout KeyWriter) -> Void
    ) {
        guard usedColumns == 0, let (listed, keys) = constraints.keys else { return }
        let positions = columns.prefix(listed.count).compactMap { listed.firstIndex(of: $0) }
        guard positions.count == listed.count else { return }
        prefixes = keys.map { values in
            var key = KeyWriter()
            defer { key.deallocate() }
            for (place, position) in positions.enumerated() {
                values[position].withSlot { append(place, $0, &key) }
            }
            return Array(key.bytes)
        }
        usedColumns = listed.count
        expressed += 1
    }

    /// Returns the keys that fulfil a constraint after a prefix, or nil when there can be none.
    private func range(
        _ constraint: ColumnConstraint,
        after prefix: [UInt8],
        isNullable nilBytes: [UInt8],
        _ encode: (StorageValue) -> [UInt8]
    ) -> KeyRange? {
        // In an index the byte 1 precedes every value that is not nil.
        let present = nilBytes.isEmpty ? prefix : prefix + [1]
        var range = KeyRange.prefix(present)
        if let text = constraint.prefix {
            // The text without the zero byte that ends it in a key.
            range = .prefix(prefix + encode(.text(text)).dropLast())
        } else {
            if let (value, isIncluded) = constraint.lower {
                let bytes = prefix + encode(value)
                // Nothing is over the greatest of all keys.
                guard let lower = isIncluded ? bytes : KeyRange.successor(of: bytes) else {
                    return nil
                }
                range.lower = lower
            }
            if let (value, isIncluded) = constraint.upper {
                let bytes = prefix + encode(value)
                range.upper = isIncluded ? KeyRange.successor(of: bytes) : bytes
            }
        }
        return range
    }

    /// Returns the ranges, ascending and apart, or nil when no column is constrained.
    func finish(_ limit: Int, nilPrefix: Bool) -> [KeyRange]? {
        guard usedColumns > 0 else { return nil }
        if let ranges {
            return ranges.count <= limit ? sorted(ranges) : nil
        }
        guard prefixes.count <= limit else { return nil }
        let isWhole = usedColumns == columnCount
        return sorted(
            prefixes.map {
                isWhole
                    ? KeyRange(
                        lower: $0,
                        upper: KeyRange.successor(of: $0),
                        isOneKey: true
                    )
                    : .prefix($0)
            }
        )
    }

    private func sorted(_ ranges: [KeyRange]) -> [KeyRange] {
        guard ranges.count > 1 else { return ranges }
        var result: [KeyRange] = []
        for range in ranges.sorted(by: { $0.lower.lexicographicallyPrecedes($1.lower) })
        where range.lower != result.last?.lower {
            result.append(range)
        }
        return result
    }
}
