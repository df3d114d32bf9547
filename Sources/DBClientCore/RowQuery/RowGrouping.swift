/// The rows of a query put together by the values of some fields, as engines see it.
public struct RowGrouping: Hashable, Sendable {
    /// An aggregate over the rows of a group.
    public enum Term: Hashable, Sendable {
        /// How many rows the group has.
        case count
        /// A function over a field, absent values left out.
        case function(AggregateFunction, column: Int)
        /// A function over a field of what the rows hold, or over what is computed, absent values left out.
        ///
        /// An engine is asked for it where ``EngineReader/canGroup(_:)`` says so.
        case heldFunction(AggregateFunction, Key)
        /// How many different values a field has, absent ones left out: zero of none. For a field that is not the row's
        /// own an engine is asked where ``EngineReader/canGroup(_:)`` says so.
        case distinctCount(Key)

        /// The function; nil for a count.
        public var function: AggregateFunction? {
            switch self {
            case .count, .distinctCount: nil
            case .function(let function, _), .heldFunction(let function, _): function
            }
        }

        /// What the function is over, or whose values are counted; nil for a count of rows.
        public var operand: Key? {
            switch self {
            case .count: nil
            case .function(_, let column): Key(column)
            case .heldFunction(_, let key), .distinctCount(let key): key
            }
        }

        /// Returns the same over another field.
        func over(_ other: Key) -> Term {
            switch self {
            case .count: .count
            case .function(let function, _), .heldFunction(let function, _):
                other.isOwnField
                    ? .function(function, column: other.column) : .heldFunction(function, other)
            case .distinctCount: .distinctCount(other)
            }
        }
    }

    /// A field whose values are equal in all rows of a group, or what is computed from fields.
    ///
    /// An engine is asked for a computed one where ``EngineReader/canGroup(_:)`` says so.
    public struct Key: Hashable, Sendable {
        /// The position of the field; -1 for what is computed.
        public var column: Int
        /// What is computed; nil for a field.
        public private(set) var expression: RowExpression?
        /// What a selected row gets from those that are like it, for which no engine is asked: one at most.
        private var windows: [RowWindow] = []
        /// The way to the row that has the field, by primary keys; empty for a field of the row itself.
        ///
        /// Where it leads nowhere the key is absent.
        public var path: [RelatedRows]

        /// Creates a key, by default of the row's own fields.
        public init(_ column: Int, through path: [RelatedRows] = []) {
            self.column = column
            self.path = path
        }

        /// Creates a key that is computed from fields, by default of the row's own.
        init(_ expression: RowExpression, through path: [RelatedRows] = []) {
            // A field alone is one that engines know.
            if case .field(let column) = expression {
                self.init(column, through: path)
            } else {
                self.init(-1, through: path)
                self.expression = expression
            }
        }

        /// Creates what a row gets from those that are like it.
        init(_ window: RowWindow) {
            self.init(-1)
            windows = [window]
        }

        /// What a row gets from those that are like it; nil for what is of the row alone.
        var window: RowWindow? { windows.first }

        /// Returns the entity that has the field, given that of the rows.
        public func owner(_ entity: EntitySchema) -> EntitySchema { path.last?.entity ?? entity }

        /// Returns the field, of an entity's rows or of those that they lead to.
        ///
        /// What is computed has a field that no entity has.
        public func field(of entity: EntitySchema) -> FieldSchema {
            if let window { return window.field(of: entity) }
            guard let expression else { return owner(entity).fields[column] }
            return expression.field(of: owner(entity))
        }

        /// Whether it is a field of the row itself.
        public var isOwnField: Bool { path.isEmpty && expression == nil && windows.isEmpty }

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

    /// The keys, and what functions are over, that are computed or of what the rows hold: each once, keys first.
    public var derivedFields: [Key] {
        var derived: [Key] = []
        for key in keys + allTerms.compactMap(\.operand)
        where !key.isOwnField && !derived.contains(key) { derived.append(key) }
        return derived
    }

    /// The rows' own fields that are keys or that a term asks for, each once.
    public var ownColumns: [Int] {
        var columns: [Int] = []
        for key in keys where key.isOwnField && !columns.contains(key.column) {
            columns.append(key.column)
        }
        for field in allTerms.compactMap(\.operand)
        where field.isOwnField && !columns.contains(field.column) { columns.append(field.column) }
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
