/// One call of a transaction, as a decorator sees it: what is done to which entity, without a value.
public struct TransactionCall: Sendable {
    /// What is done.
    public enum Kind: String, Sendable, CaseIterable {
        case find
        case fetch
        case forEach
        case count
        case aggregate
        case distinct
        case explain
        case insert
        case update
        case updateExisting
        case upsert
        /// Some fields of one value are written.
        case assign
        /// Some fields of the values of a request are written.
        case assignMatching
        case delete
        case deleteMatching
        /// A savepoint: a write inside the write.
        case savepoint
        /// Rows without a model are reached: selections, groups, stored names, SQL.
        case rows

        /// Whether the call writes.
        public var isWrite: Bool {
            switch self {
            case .find, .fetch, .forEach, .count, .aggregate, .distinct, .explain, .rows: false
            default: true
            }
        }
    }

    /// What is done.
    public let kind: Kind
    /// The stored name of the entity; nil where the call has none of its own.
    public let entity: String?
    /// How many values or keys are given; nil where a request is.
    public let givenCount: Int?
    /// The request as engines see it, values included; nil where there is none or it is malformed.
    public let query: RowQuery?

    /// Creates a call.
    public init(_ kind: Kind, entity: String?, givenCount: Int? = nil, query: RowQuery? = nil) {
        self.kind = kind
        self.entity = entity
        self.givenCount = givenCount
        self.query = query
    }

    /// The call in one line: what, of which entity, and the shape of the request without its values.
    public var shape: String {
        var words = [kind.rawValue]
        if let entity { words.append(entity) }
        if let givenCount { words.append("(\(givenCount))") }
        if let query { words += query.shape }
        return words.joined(separator: " ")
    }
}

extension RowQuery {
    /// The words of the request, `?` for each value.
    fileprivate var shape: [String] {
        var words: [String] = []
        if condition != .constant(true) { words += ["where", condition.shape(in: entity)] }
        if !orderings.isEmpty {
            let keys = orderings.map { ordering in
                ordering.field(of: entity).name + (ordering.isDescending ? " descending" : "")
            }
            words += ["by", keys.joined(separator: ", ")]
        }
        if offset > 0 { words.append("offset ?") }
        if limit != nil { words.append("limit ?") }
        return words
    }
}

extension RowCondition {
    fileprivate func shape(in entity: EntitySchema) -> String {
        switch self {
        case .constant(let value): return value ? "true" : "false"
        case .compare(let column, let comparison, _, _):
            return "\(entity.fieldName(column)) \(comparison.sign) ?"
        case .isIn(let column, let values):
            return "\(entity.fieldName(column)) in ?(\(values.count))"
        case .isNil(let column): return "\(entity.fieldName(column)) is nil"
        case .matches(let column, let pattern):
            return "\(entity.fieldName(column)) \(pattern.kind) ?"
        case .not(let operand): return "not (\(operand.shape(in: entity)))"
        case .all(let operands):
            return operands.map { $0.shape(in: entity) }.joined(separator: " and ")
        case .any(let operands):
            return "(" + operands.map { $0.shape(in: entity) }.joined(separator: " or ") + ")"
        default: return "contains ?"
        }
    }
}

extension EntitySchema {
    fileprivate func fieldName(_ column: Int) -> String {
        fields.indices.contains(column) ? fields[column].name : "?"
    }
}

extension Comparison {
    fileprivate var sign: String {
        switch self {
        case .equal: "="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}
