extension DynamicGroupRequest.Having {
    /// Returns the condition as engines see it.
    func row(of entity: EntitySchema) throws -> RowGroupCondition {
        .comparing(
            try function.term(of: entity),
            comparison,
            try function.stored(value, of: entity),
            in: entity
        )
    }
}

extension DynamicGroupRequest.Function {
    /// Returns the function as engines see it.
    func term(of entity: EntitySchema) throws -> RowGrouping.Term {
        func term(_ function: AggregateFunction, _ name: String) throws -> RowGrouping.Term {
            let column = try entity.column(named: name)
            try entity.check(function, on: column)
            return .function(function, column: column)
        }
        switch self {
        case .count: return .count
        case .countDistinct(let name):
            return .distinctCount(RowGrouping.Key(try entity.column(named: name)))
        case .sum(let name): return try term(.sum, name)
        case .average(let name): return try term(.average, name)
        case .min(let name): return try term(.minimum, name)
        case .max(let name): return try term(.maximum, name)
        case .window: throw Self.windowMisplaced(entity)
        }
    }

    /// Returns a value that the function is compared with, as it is stored.
    func stored(_ value: DynamicValue, of entity: EntitySchema) throws -> StorageValue {
        switch (self, value) {
        case (_, .null): return .null
        case (.count, .integer(let number)), (.countDistinct, .integer(let number)):
            return .integer(number)
        case (.average, .integer(let number)): return .real(Double(number))
        case (.average, .real(let number)): return .real(number)
        case (.sum(let name), .integer(let number))
        where entity.fields[try entity.column(named: name)].type.slotKind == .integer:
            // A sum may be beyond the type of what is added up.
            return .integer(number)
        case (.sum(let name), _), (.min(let name), _), (.max(let name), _):
            return try entity.storageValue(value, at: try entity.column(named: name))
        default:
            throw DBClientError(
                .invalidRequest,
                "A number of rows must be compared with an integer, and an average with a number; got \(value.kind).",
                entity: entity.name
            )
        }
    }

    /// Returns what the function came to.
    func value(_ slot: Slot, of entity: EntitySchema) throws -> DynamicValue {
        switch self {
        case .count, .countDistinct: return .integer(slot.integer)
        case .average: return slot.isNull ? .null : .real(slot.real)
        case .sum(let name):
            let column = try entity.column(named: name)
            let zero = StorageValue.zero(of: entity.fields[column].type)
            return try slot.isNull
                ? zero.withSlot { try Self.sum($0, entity, column) }
                : Self.sum(slot, entity, column)
        case .min(let name), .max(let name):
            return try entity.dynamicValue(slot, at: try entity.column(named: name))
        case .window(let function, _): return try function.value(slot, of: entity)
        }
    }

    private static func sum(
        _ slot: Slot,
        _ entity: EntitySchema,
        _ column: Int
    ) throws -> DynamicValue {
        switch slot.kind {
        case .integer: .integer(slot.integer)
        case .real: .real(slot.real)
        default: try entity.dynamicValue(slot, at: column)
        }
    }
}
