extension RowCondition {
    /// How deep conditions may be nested: what every engine's parser and stack take.
    static var maximumNesting: Int { 64 }

    /// Returns the error of a request whose conditions are nested deeper than that.
    static func nestedTooDeep(_ entity: EntitySchema) -> DBClientError {
        DBClientError(
            .invalidRequest,
            "Conditions must be nested at most \(maximumNesting) deep.",
            entity: entity.name
        )
    }

    /// Returns whether conditions are nested deeper than a limit.
    func isNested(deeperThan limit: Int) -> Bool {
        switch self {
        case .not(let operand):
            limit == 0 || operand.isNested(deeperThan: limit - 1)
        case .all(let operands), .any(let operands):
            limit == 0 || operands.contains { $0.isNested(deeperThan: limit - 1) }
        case .related(let rows):
            limit == 0 || rows.condition.isNested(deeperThan: limit - 1)
        case .computed(let left, _, let right):
            left.isNested(deeperThan: limit) || right.isNested(deeperThan: limit)
        case .guarded(let guarding, let guarded):
            limit == 0 || guarding.isNested(deeperThan: limit - 1)
                || guarded.isNested(deeperThan: limit - 1)
        default: false
        }
    }
}

extension RowExpression {
    /// How many conditions an expression counts for, since its text takes more of a parser's stack.
    static var weight: Int { 4 }

    /// Returns whether the conditions of choices are nested deeper than a limit.
    fileprivate func isNested(deeperThan limit: Int) -> Bool {
        switch self {
        case .field, .constant: false
        case .function(_, _, let operands), .firstPresent(let operands):
            limit < Self.weight
                || operands.contains { $0.isNested(deeperThan: limit - Self.weight) }
        case .choice(let condition, let value, let other):
            limit < Self.weight || condition.isNested(deeperThan: limit - Self.weight)
                || value.isNested(deeperThan: limit - Self.weight)
                || other.isNested(deeperThan: limit - Self.weight)
        }
    }
}

extension RowGroupCondition {
    /// Returns whether conditions are nested deeper than a limit.
    func isNested(deeperThan limit: Int) -> Bool {
        switch self {
        case .not(let operand):
            limit == 0 || operand.isNested(deeperThan: limit - 1)
        case .all(let operands), .any(let operands):
            limit == 0 || operands.contains { $0.isNested(deeperThan: limit - 1) }
        default: false
        }
    }
}
