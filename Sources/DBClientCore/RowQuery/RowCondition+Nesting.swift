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
        default: false
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
