/// The rows of a query put together by the values of some fields, as engines see it.
public struct RowGrouping: Hashable, Sendable {
    /// An aggregate over the rows of a group.
    public enum Term: Hashable, Sendable {
        /// How many rows the group has.
        case count
        /// A function over a field, absent values left out.
        case function(AggregateFunction, column: Int)
        /// A function over a field of what the rows hold, absent values left out. No engine is asked for it: the
        /// groups are put together from the fields.
        case heldFunction(AggregateFunction, Key)
    }

    /// A field whose values are equal in all rows of a group.
    public struct Key: Hashable, Sendable {
        /// The position of the field.
        public var column: Int
        /// The way to the row that has the field, by primary keys; empty for a field of the row itself.
        ///
        /// Where it leads nowhere the key is absent.
        public var path: [RelatedRows]

        /// Creates a key, by default of the row's own fields.
        public init(_ column: Int, through path: [RelatedRows] = []) {
            self.column = column
            self.path = path
        }

        /// Returns the entity that has the field, given that of the rows.
        public func owner(_ entity: EntitySchema) -> EntitySchema { path.last?.entity ?? entity }

        /// Returns the field, of an entity's rows or of those that they lead to.
        public func field(of entity: EntitySchema) -> FieldSchema { owner(entity).fields[column] }

        /// Whether the key may be absent.
        public func isOptional(in entity: EntitySchema) -> Bool {
            !path.isEmpty || field(of: entity).isOptional
        }
    }

    /// The query whose rows are grouped.
    public var query: RowQuery
    /// The fields that are equal in all rows of a group; an absent value equals another.
    public var keys: [Key]
    /// The aggregates that are computed of each group.
    public var terms: [Term]
    /// The condition that a group must fulfil.
    public var condition: RowGroupCondition

    /// Creates a grouping, by default of every group.
    public init(
        _ query: RowQuery,
        by keys: [Key],
        terms: [Term],
        where condition: RowGroupCondition = .constant(true)
    ) {
        self.query = query
        self.keys = keys
        self.terms = terms
        self.condition = condition
    }

    /// All aggregates that are computed: the terms that are returned, then those that only the condition
    /// uses.
    public var allTerms: [Term] {
        var all = terms
        condition.visitTerms { if !all.contains($0) { all.append($0) } }
        return all
    }

    /// Whether a key is not the rows' own.
    public var reachesRelatedRows: Bool { keys.contains { !$0.path.isEmpty } }

    /// The rows' own fields that are keys or that a term asks for, each once.
    public var ownColumns: [Int] {
        var columns: [Int] = []
        for key in keys where key.path.isEmpty && !columns.contains(key.column) {
            columns.append(key.column)
        }
        for case .function(_, let column) in allTerms where !columns.contains(column) {
            columns.append(column)
        }
        return columns
    }

    /// The rows' own fields that are looked at, each once: those that lead to other rows as well.
    public var columns: [Int] {
        var columns = ownColumns
        for key in keys {
            for column in key.path.first?.matching ?? [] where !columns.contains(column) {
                columns.append(column)
            }
        }
        return columns
    }
}

/// The condition that a group of rows must fulfil.
///
/// As for rows, every condition is true or false: a comparison with an absent value is false, and its
/// negation true.
public indirect enum RowGroupCondition: Hashable, Sendable {
    /// True of every group, or false of every group.
    case constant(Bool)
    /// An aggregate of the group compares with a value, which is not null.
    case compare(RowGrouping.Term, Comparison, StorageValue)
    /// The aggregate of the group has no value.
    case isNil(RowGrouping.Term)
    /// The negation: the condition is false of the group.
    case not(RowGroupCondition)
    /// The conjunction: every condition is true of the group.
    case all([RowGroupCondition])
    /// At least one condition is true.
    case any([RowGroupCondition])
}

extension RowGroupCondition {
    /// Calls a function with each term that the condition asks for.
    public func visitTerms(_ body: (RowGrouping.Term) -> Void) {
        switch self {
        case .constant: break
        case .compare(let term, _, _), .isNil(let term): body(term)
        case .not(let operand): operand.visitTerms(body)
        case .all(let operands), .any(let operands):
            for operand in operands { operand.visitTerms(body) }
        }
    }

    /// Returns whether the condition is true of the aggregates of a group.
    public func holds(_ value: (RowGrouping.Term) -> Slot) -> Bool {
        switch self {
        case .constant(let isTrue): return isTrue
        case .compare(let term, let comparison, let constant):
            let slot = value(term)
            // Opposite infinities come to no number.
            if slot.isNull || slot.kind == .real && slot.real.isNaN {
                return comparison.holdsForNil
            }
            return comparison.holds(for: constant.withSlot { Slot.compare(slot, $0) })
        case .isNil(let term): return value(term).isNull
        case .not(let operand): return !operand.holds(value)
        case .all(let operands): return operands.allSatisfy { $0.holds(value) }
        case .any(let operands): return operands.contains { $0.holds(value) }
        }
    }
    /// Returns the condition with other terms.
    func mapped(
        _ other: (RowGrouping.Term) throws -> RowGrouping.Term
    ) rethrows -> Self {
        switch self {
        case .constant: self
        case .compare(let term, let comparison, let value):
            .compare(try other(term), comparison, value)
        case .isNil(let term): .isNil(try other(term))
        case .not(let operand): .not(try operand.mapped(other))
        case .all(let operands): .all(try operands.map { try $0.mapped(other) })
        case .any(let operands): .any(try operands.map { try $0.mapped(other) })
        }
    }
}
