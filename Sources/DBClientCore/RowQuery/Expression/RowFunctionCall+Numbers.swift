// Arithmetic: as Swift's operators where these give a number, else an error.
extension RowFunctionCall {
    /// Computes a function of one integer.
    func integer(_ value: Int64) throws(DBClientError) -> Slot {
        switch function {
        case .negate: try checked(Int64.zero.subtractingReportingOverflow(value))
        case .magnitude:
            value < 0
                ? try checked(Int64.zero.subtractingReportingOverflow(value)) : try bounded(value)
        default: .integer(value)
        }
    }

    /// Computes a function of two integers.
    func integer(_ left: Int64, _ right: Int64) throws(DBClientError) -> Slot {
        switch function {
        case .add: return try checked(left.addingReportingOverflow(right))
        case .subtract: return try checked(left.subtractingReportingOverflow(right))
        case .multiply: return try checked(left.multipliedReportingOverflow(by: right))
        case .divide:
            if right == 0 { throw failure("A number must not be divided by zero.") }
            return try checked(left.dividedReportingOverflow(by: right))
        case .remainder:
            if right == 0 { throw failure("A number must not be divided by zero.") }
            // Nothing is left, also of the least integer, of which Swift's quotient overflows.
            return right == -1 ? .integer(0) : try bounded(left % right)
        default: return picked(.integer(left), .integer(right))
        }
    }

    private func checked(
        _ result: (partialValue: Int64, overflow: Bool)
    ) throws(DBClientError) -> Slot {
        if result.overflow { throw outOfRange }
        return try bounded(result.partialValue)
    }

    /// Returns an integer that the type has.
    private func bounded(_ value: Int64) throws(DBClientError) -> Slot {
        guard let bounds = type.bounds else { return .integer(value) }
        guard bounds.contains(value) else { throw outOfRange }
        return .integer(value)
    }

    private var outOfRange: DBClientError {
        failure("A number must be within the range of \(type.name).")
    }

    /// Computes a function of one real.
    func real(_ value: Double) throws(DBClientError) -> Slot {
        try checkOperand(value)
        return switch function {
        case .negate: .real(0 - value)
        case .magnitude: .real(value.magnitude)
        default: .real(value)
        }
    }

    /// Computes a function of two reals.
    func real(_ left: Double, _ right: Double) throws(DBClientError) -> Slot {
        try checkOperand(left)
        try checkOperand(right)
        if type == .float { return try single(Float(left), Float(right)) }
        switch function {
        case .add: return try checked(left + right)
        case .subtract: return try checked(left - right)
        case .multiply:
            return try checked(left * right, mayBeZero: left == 0 || right == 0)
        case .divide:
            if right == 0 { throw failure("A number must not be divided by zero.") }
            return try checked(left / right, mayBeZero: left == 0)
        default: return picked(.real(left), .real(right))
        }
    }

    /// Computes a function of two reals of single precision.
    private func single(_ left: Float, _ right: Float) throws(DBClientError) -> Slot {
        switch function {
        case .add: return try checked(Double(left + right))
        case .subtract: return try checked(Double(left - right))
        case .multiply:
            return try checked(Double(left * right), mayBeZero: left == 0 || right == 0)
        case .divide:
            if right == 0 { throw failure("A number must not be divided by zero.") }
            return try checked(Double(left / right), mayBeZero: left == 0)
        default: return picked(.real(Double(left)), .real(Double(right)))
        }
    }

    private func checkOperand(_ value: Double) throws(DBClientError) {
        if !value.isFinite { throw failure("A number must be finite to be computed with.") }
    }

    /// Returns a finite result, zero without a sign.
    ///
    /// PostgreSQL refuses one that is too small for the type, so every engine does.
    private func checked(_ result: Double, mayBeZero: Bool = true) throws(DBClientError) -> Slot {
        guard result.isFinite, mayBeZero || result != 0 else { throw outOfRange }
        return .real(result == 0 ? 0 : result)
    }

    /// Returns the number as one of the call's type.
    func converted(_ value: Slot) throws(DBClientError) -> Slot {
        switch (value.kind, type) {
        case (.integer, .double): return .real(Double(value.integer))
        case (.integer, .float): return .real(Double(Float(value.integer)))
        case (.integer, _): return try bounded(value.integer)
        case (_, .float):
            try checkOperand(value.real)
            return try checked(Double(Float(value.real)), mayBeZero: value.real == 0)
        case (_, .double):
            try checkOperand(value.real)
            return value
        default:
            try checkOperand(value.real)
            guard let integer = Int64(exactly: value.real.rounded(.towardZero)) else {
                throw outOfRange
            }
            return try bounded(integer)
        }
    }
}

extension FieldType {
    /// The integers that a field of the type holds, of those that are kept; nil where these are all of `Int64`, and
    /// for what is no integer.
    public var bounds: ClosedRange<Int64>? {
        guard case .integer(let bits, let signed) = self else { return nil }
        if bits == 64 { return signed ? nil : 0...(.max) }
        return signed ? -(1 << (bits - 1))...(1 << (bits - 1)) - 1 : 0...(1 << bits) - 1
    }
}
