/// A condition on the rows of another entity that belong to a row: that one of them fulfils a condition, how
/// many do, or an aggregate over those that do.
///
/// Theirs are the rows of which the values in `columns` equal those of the row's own columns
/// `matching`; a null equals nothing.
public struct RelatedRows: Hashable, Sendable {
    /// The entity of the related rows.
    public let entity: EntitySchema
    /// The columns of the related entity that are matched.
    public let columns: [Int]
    /// The columns of the row itself that equal them, in the same order.
    public let matching: [Int]
    /// The condition that the related rows must fulfil, which may follow further relationships.
    public var condition: RowCondition
    /// How many must, at least one when nil.
    public var count: RowCount?
    /// The comparison of a sum or an average over them; where there is one, there is no `count`.
    public var total: RowTotal?
    /// Which of the entity's rows that fulfil the condition are meant, whatever row they belong to; nil for all.
    ///
    /// Where there is one, the rows are of the row's own entity, matched by the primary key: the row itself is among
    /// them. There is neither `count` nor `total`.
    public var slice: RowSlice?

    /// Creates a condition on related rows.
    public init(
        _ entity: EntitySchema,
        _ columns: [Int],
        matching: [Int],
        where condition: RowCondition = .constant(true),
        count: RowCount? = nil,
        total: RowTotal? = nil
    ) {
        self.entity = entity
        self.columns = columns
        self.matching = matching
        self.condition = condition
        self.count = count
        self.total = total
    }

    /// Creates a condition on the rows that match another row.
    init(_ match: RowMatch) {
        self.init(match.entity, match.columns, matching: match.matching)
    }

    /// Which rows are related, whatever they must fulfil.
    var match: RowMatch { RowMatch(entity: entity, columns: columns, matching: matching) }

    /// Returns the same condition on rows that have the columns at other positions.
    func matching(_ columns: [Int]) -> RelatedRows {
        var rows = RelatedRows(
            entity,
            self.columns,
            matching: columns,
            where: condition,
            count: count,
            total: total
        )
        rows.slice = slice
        return rows
    }

    /// Whether it holds for a row to which no other belongs.
    public var holdsForNone: Bool {
        count?.holds(for: 0) ?? total?.holdsForNone ?? false
    }
}

/// A comparison of a number of rows with a constant.
public struct RowCount: Hashable, Sendable {
    /// How the number of rows compares with ``number``.
    public let comparison: Comparison
    /// The constant that the number is compared with.
    public let number: Int

    /// Creates a comparison of the number of rows with a constant.
    public init(_ comparison: Comparison, _ number: Int) {
        self.comparison = comparison
        self.number = number
    }

    /// Returns whether a number of rows fulfils the comparison.
    public func holds(for found: Int) -> Bool {
        comparison.holds(found, number)
    }
}

extension RowCondition {
    /// Returns the condition that some columns are one of the keys of a buffer, none of them null.
    static func keys(_ columns: [Int], in buffer: RowBuffer) -> RowCondition {
        buffer.withBatch { keys(columns, in: $0) }
    }

    private static func keys(_ columns: [Int], in batch: RowBatch) -> RowCondition {
        if columns.count == 1 {
            return .isIn(
                column: columns[0],
                (0..<batch.count).map { StorageValue(batch[$0, 0]) }
            )
        }
        return .keys(
            columns,
            in: (0..<batch.count).map { row in
                columns.indices.map { StorageValue(batch[row, $0]) }
            }
        )
    }

    /// Returns the condition that some columns are one of some keys, none of whose values is null.
    static func keys(_ columns: [Int], in keys: [[StorageValue]]) -> RowCondition {
        if columns.count == 1 { return .isIn(column: columns[0], keys.map { $0[0] }) }
        if keys.count == 1 {
            // An equality for each column is what indexes are found by.
            return .all(
                zip(columns, keys[0]).map { .compare(column: $0, .equal, $1, .binary) }
            )
        }
        return .areIn(columns: columns, keys)
    }

    /// Whether a part of the condition is about related rows.
    public var reachesRelatedRows: Bool {
        switch self {
        case .related: true
        case .not(let operand): operand.reachesRelatedRows
        case .all(let operands), .any(let operands):
            operands.contains { $0.reachesRelatedRows }
        case .guarded(let guarding, let guarded):
            guarding.reachesRelatedRows || guarded.reachesRelatedRows
        default: false
        }
    }
}
