import DBClientCore

/// A condition taken apart: the related rows that a statement joins, and what is left to ask of a row.
///
/// `IN (SELECT …)` fills a temporary table with the related rows. Where each row leads to one row at
/// most, and an index finds the rows that it may lead to, a join says the same without: no row comes
/// twice, and one that leads nowhere does not come. Without such an index the planner would have to guess
/// which table to begin with, so the subquery stays.
struct JoinedCondition {
    /// The related rows that are joined.
    private(set) var joins: [RelatedRows] = []
    /// What each row must fulfil beside.
    private(set) var rest: RowCondition

    /// A database joins so many tables and no more, and a parser nests so deep: what is beyond stays a
    /// subquery.
    private static let maximumCount = 4
    private static let maximumDepth = 3

    /// Takes a condition apart, where the database gains by it.
    ///
    /// - Parameters:
    ///   - condition: What rows must fulfil.
    ///   - depth: How many joins the condition is nested in.
    ///   - isCheap: Whether a join costs the database less than a subquery.
    init(_ condition: RowCondition, depth: Int, isCheap: Bool) {
        rest = condition
        switch condition {
        case .related: break
        case .all(let operands):
            if !operands.contains(where: { $0.demandsRelatedRows }) { return }
        default: return
        }
        guard isCheap, depth < Self.maximumDepth else { return }
        var others: [RowCondition] = []
        for operand in condition.conjuncts {
            if joins.count < Self.maximumCount, case .related(let rows) = operand,
                rows.isJoinable
            {
                joins.append(rows)
            } else {
                others.append(operand)
            }
        }
        if joins.isEmpty { return }
        if others.count > 1 { rest = .all(others) } else { rest = others.first ?? .constant(true) }
    }
}

extension JoinedCondition {
    /// Returns what is joined, where that is all that a condition asks; nil otherwise.
    static func onlyJoin(
        _ condition: RowCondition,
        depth: Int,
        isCheap: Bool
    ) -> RelatedRows? {
        guard case .related(let rows) = condition, depth < maximumDepth, isCheap,
            rows.isJoinable
        else { return nil }
        return rows
    }
}

extension RelatedRows {
    /// Whether a row leads to one row at most, which an index finds by what is asked of it.
    fileprivate var isJoinable: Bool {
        count == nil && total == nil && slice == nil && columns == entity.primaryKey
            && condition.isFoundByIndex(of: entity)
    }
}

extension RowCondition {
    /// The conditions that must all hold.
    fileprivate var conjuncts: [RowCondition] {
        switch self {
        case .constant(true): []
        case .all(let operands): operands.flatMap(\.conjuncts)
        default: [self]
        }
    }

    /// Whether related rows are among what must hold.
    fileprivate var demandsRelatedRows: Bool {
        switch self {
        case .related: true
        case .all(let operands): operands.contains { $0.demandsRelatedRows }
        default: false
        }
    }

    /// Whether the rows of an entity that fulfil the condition are few neighbours in an index.
    fileprivate func isFoundByIndex(of entity: EntitySchema) -> Bool {
        switch self {
        case .all(let operands): operands.contains { $0.isFoundByIndex(of: entity) }
        case .compare(let column, .equal, _, .binary), .field(let column, .isIn):
            entity.isIndexed(column)
        case .related(let rows):
            rows.isJoinable && rows.matching.first.map { entity.isIndexed($0) } ?? false
        default: false
        }
    }
}

extension EntitySchema {
    /// Whether a field is the first of the primary key or of an index.
    fileprivate func isIndexed(_ column: Int) -> Bool {
        primaryKey.first == column || indexes.contains { $0.fields.first == column }
    }
}
