// What an engine needs that computes with functions of a database, of which some are the library's alone.
extension RowQuery {
    /// Whether the query sorts or compares text naturally, or computes what the library alone computes.
    public var usesLibraryFunctions: Bool {
        orderings.contains(where: \.usesLibraryFunctions) || condition.usesLibraryFunctions
            || join?.parts.contains { $0.condition.usesLibraryFunctions } ?? false
            || walk?.passing.usesLibraryFunctions ?? false
    }
}

extension RowOrdering {
    fileprivate var usesLibraryFunctions: Bool {
        text == .natural || expression?.usesLibraryFunctions ?? false
    }
}

extension RowCondition {
    fileprivate var usesLibraryFunctions: Bool {
        switch self {
        case .compare(_, _, _, .natural): true
        case .not(let operand): operand.usesLibraryFunctions
        case .all(let operands), .any(let operands):
            operands.contains(where: \.usesLibraryFunctions)
        case .related(let rows): rows.query.usesLibraryFunctions
        case .guarded(let guarding, let guarded):
            guarding.usesLibraryFunctions || guarded.usesLibraryFunctions
        case .computed(let left, _, let right):
            left.usesLibraryFunctions || right.usesLibraryFunctions
        default: false
        }
    }

    /// A condition without functions of the library, and without what may have no answer, that every row fulfils which
    /// fulfils this one.
    fileprivate var withoutLibraryFunctions: RowCondition {
        guard usesLibraryFunctions else { return self }
        switch self {
        case .all(let operands): return .all(operands.map(\.withoutLibraryFunctions))
        case .any(let operands):
            return operands.map(\.withoutLibraryFunctions).reduce(.constant(false)) {
                $0 == .constant(true) || $1 == .constant(true)
                    ? .constant(true) : .disjunction($0, $1)
            }
        case .computed(let left, let comparison, .constant(let value, _))
        where comparison != .notEqual && !value.isNull:
            return left.presence(equalTo: comparison == .equal ? value : nil) ?? .constant(true)
        case .guarded(let guarding, _): return guarding.withoutLibraryFunctions
        default: return .constant(true)
        }
    }
}

extension RowExpression {
    /// Whether the library alone computes a part of it.
    public var usesLibraryFunctions: Bool {
        switch self {
        case .field, .constant: false
        case .function(let function, _, let operands):
            function.isOfLibrary || operands.contains(where: \.usesLibraryFunctions)
        case .firstPresent(let operands): operands.contains(where: \.usesLibraryFunctions)
        case .choice(let condition, let value, let other):
            condition.usesLibraryFunctions || value.usesLibraryFunctions
                || other.usesLibraryFunctions
        }
    }
}

extension EngineReader {
    /// Returns the rows of a query in its order, with the functions of the library applied here: the engine gives the rows
    /// that can be in the result, all of which are in memory at once unless the engine has the order.
    public func rowsComputedHere(_ query: RowQuery) throws -> RowBuffer {
        let isOrderedHere = query.orderings.contains(where: \.usesLibraryFunctions)
        let condition = try query.resolved(by: self).condition
        let predicate = RowPredicate(condition, of: query.entity)
        let rows = RowBuffer(query.entity)
        var candidates = RowQuery(
            query.entity,
            where: query.condition.withoutLibraryFunctions,
            orderings: isOrderedHere ? [] : query.orderings
        )
        candidates.join = query.join
        var skipped = isOrderedHere ? query.offset : 0
        try scan(candidates) { batch in
            for row in 0..<batch.count where predicate.matches(BatchRow(batch: batch, row: row)) {
                if skipped < query.offset {
                    skipped += 1
                    continue
                }
                rows.append(copying: batch.slots + row * batch.columnCount)
                if !isOrderedHere, rows.count == query.limit { return false }
            }
            return true
        }
        try predicate.check()
        return isOrderedHere ? try sorted(rows, by: query) : rows
    }

    /// Returns the rows of a query that are in its limit, in its order.
    private func sorted(_ rows: RowBuffer, by query: RowQuery) throws -> RowBuffer {
        let order = query.totalOrder
        let related = order.map { RelatedField($0, of: query.entity, in: self) }
        var keys: [Slot] = []
        keys.reserveCapacity(rows.count * order.count)
        for row in 0..<rows.count {
            let row = BatchRow(batch: rows.batch, row: row)
            for (ordering, field) in zip(order, related) {
                keys.append(try field?.slot(of: row) ?? row.slot(ordering.column))
            }
        }
        let comparator = RowComparator(order)
        // The related fields own what some of the keys borrow.
        let sorted = withExtendedLifetime(related) {
            keys.withUnsafeBufferPointer { keys -> [Int] in
                guard let start = keys.baseAddress else { return [] }
                return (0..<rows.count).sorted {
                    comparator.compare(start + $0 * order.count, start + $1 * order.count) < 0
                }
            }
        }
        return rows.subset(Array(sorted.dropFirst(query.offset).prefix(query.limit ?? .max)))
    }

    /// Returns a query for the rows of another, by their keys: one that computes nothing.
    ///
    /// Its order is that of the keys.
    public func queryByKeys(_ query: RowQuery) throws -> RowQuery {
        let rows = try rowsComputedHere(query.unorderedUnlessLimited)
        let columns = query.entity.primaryKey
        let keys = rows.withBatch { batch in
            (0..<batch.count).map { row in columns.map { StorageValue(batch[row, $0]) } }
        }
        return RowQuery(
            query.entity,
            where: keys.isEmpty ? .constant(false) : .keys(columns, in: keys)
        )
    }
}

// What a database can say of a part of JSON: where nothing in the text is escaped, what is asked for stands in it.
extension RowExpression {
    /// Returns a condition on the field of the part that every row fulfils for which the expression is there and equal to
    /// a value, if one is given; nil where the expression tells nothing of a part.
    fileprivate func presence(equalTo value: StorageValue?) -> RowCondition? {
        guard case .function(let function, let type, let operands) = self else { return nil }
        guard function == .part else {
            return operands.lazy.compactMap { $0.presence(equalTo: nil) }.first
        }
        guard case .field(let column) = operands[0],
            case .constant(.text(let path), _) = operands[1]
        else { return nil }
        var wanted = Self.keys(of: path)
        if type == .text, case .text(let text) = value { wanted.append(JSONString.encoded(text)) }
        let parts = wanted.filter { !$0.utf8.contains(UInt8(ascii: "\\")) }
            .map { Self.contains("\"\($0)\"", in: column) }
        let escaped = Self.contains("\\", in: column)
        if parts.count < wanted.count { return escaped }
        return parts.isEmpty ? nil : .any([escaped, .all(parts)])
    }

    private static func contains(_ text: String, in column: Int) -> RowCondition {
        .computed(
            .function(.contains, .boolean, [.field(column), .constant(.text(text), .text)]),
            .equal,
            .constant(.integer(1), .boolean)
        )
    }

    /// Returns the keys of a path as they stand between quotes.
    private static func keys(of path: String) -> [String] {
        var path = path
        return path.withUTF8 { bytes in
            JSONScanner.texts(in: UnsafeRawBufferPointer(bytes)).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }
}
