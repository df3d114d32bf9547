import DBClientCore

extension SQLiteDialect {
    func template(of call: RowFunctionCall) -> String {
        let operands = [String](repeating: "#", count: call.count)
        let list = operands.joined(separator: ", ")
        switch call.function {
        case .join: return "(" + operands.joined(separator: " || ") + ")"
        // These have A to Z alone.
        case .lowercased: return "lower(#)"
        case .uppercased: return "upper(#)"
        case .hasPrefix: return "(instr(#, #) = 1)"
        case .contains: return "(instr(#, #) > 0)"
        case .count where call.operand != .json: return "length(#)"
        case .least where call.type.slotKind != .real: return "min(\(list))"
        case .greatest where call.type.slotKind != .real: return "max(\(list))"
        case .localTime, .firstMoment:
            return "\(SQLiteFunctions.name(of: call.function))(?, #)"
        default:
            if let name = SQLiteFunctions.arithmeticName(of: call) { return "\(name)(\(list))" }
            let name = SQLiteFunctions.name(of: call.function)
            return "\(name)(\(list), \(SQLiteFunctions.code(of: call)))"
        }
    }
}
