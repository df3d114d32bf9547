/// An expression made ready to be computed for many rows.
///
/// Used by one thread at a time: text that is made is kept until the next row.
final class ExpressionProgram {
    private enum Node {
        case field(Int)
        case constant(Slot)
        /// With the position after the last operand.
        case function(RowFunctionCall, end: Int)
        /// A search, nil where the constant is none, and the position after the last field.
        case search(RowFunctionCall, SearchProgram?, end: Int)
        case firstPresent(end: Int)
        /// With the positions of the values.
        case choice(RowPredicate, then: Int, else: Int, end: Int)

        /// The position after the node and its operands.
        func end(at index: Int) -> Int {
            switch self {
            case .field, .constant: index + 1
            case .function(_, let end), .firstPresent(let end), .choice(_, _, _, let end),
                .search(_, _, let end):
                end
            }
        }
    }

    private var nodes: [Node] = []
    private let arena: RowBuffer

    init(_ expression: RowExpression, of entity: EntitySchema) {
        arena = RowBuffer(entity, columns: [])
        constants = RowBuffer(entity, columns: [])
        add(expression, entity)
    }

    /// The buffer that keeps the bytes of text and data constants.
    private let constants: RowBuffer

    private func add(_ expression: RowExpression, _ entity: EntitySchema) {
        let index = nodes.count
        switch expression {
        case .field(let column): nodes.append(.field(column))
        case .constant(let value, _): nodes.append(.constant(value.slot(in: constants)))
        case .function(let function, let type, let operands):
            nodes.append(.field(0))
            for operand in operands { add(operand, entity) }
            let call = RowFunctionCall(
                function,
                returning: type,
                of: operands[0].type(in: entity),
                count: operands.count
            )
            nodes[index] =
                function.isOfSearch
                ? .search(call, SearchProgram(constant: operands[0]), end: nodes.count)
                : .function(call, end: nodes.count)
        case .firstPresent(let operands):
            nodes.append(.field(0))
            for operand in operands { add(operand, entity) }
            nodes[index] = .firstPresent(end: nodes.count)
        case .choice(let condition, let value, let other):
            nodes.append(.field(0))
            add(value, entity)
            let second = nodes.count
            add(other, entity)
            let predicate = RowPredicate(condition, of: entity)
            nodes[index] = .choice(predicate, then: index + 1, else: second, end: nodes.count)
        }
    }

    /// Returns the value for a row, which borrows the row's bytes, or the program's until the next row.
    ///
    /// - Throws: `.invalidValue` where there is none.
    func value<Row: SlotSource>(for row: Row) throws(DBClientError) -> Slot {
        arena.removeAll()
        return try value(0, row)
    }

    private func value<Row: SlotSource>(
        _ index: Int,
        _ row: Row
    ) throws(DBClientError) -> Slot {
        switch nodes[index] {
        case .field(let column): return row.slot(column)
        case .constant(let slot): return slot
        case .function(let call, let end):
            var operand = index + 1
            if call.count == 1 { return try call.value(try value(operand, row), arena) }
            var result = try value(operand, row)
            operand = nodes[operand].end(at: operand)
            if call.function == .quotient, operand < end {
                let divisor = try value(operand, row)
                let scale = try value(nodes[operand].end(at: operand), row)
                return try call.quotient(result, divisor, scale, arena)
            }
            while operand < end {
                result = try call.value(result, try value(operand, row), arena)
                operand = nodes[operand].end(at: operand)
            }
            return result
        case .search(let call, let program, let end):
            var operand = nodes[index + 1].end(at: index + 1)
            var fields: [Slot] = []
            while operand < end {
                fields.append(try value(operand, row))
                operand = nodes[operand].end(at: operand)
            }
            return try call.searched(program, fields)
        case .firstPresent(let end):
            var operand = index + 1
            while true {
                let result = try value(operand, row)
                operand = nodes[operand].end(at: operand)
                if !result.isNull || operand >= end { return result }
            }
        case .choice(let predicate, let first, let second, _):
            let isTrue = predicate.matches(row)
            if let failure = predicate.failure { throw failure }
            return try value(isTrue ? first : second, row)
        }
    }
}
