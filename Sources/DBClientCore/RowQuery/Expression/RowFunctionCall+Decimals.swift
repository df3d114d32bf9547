// Arithmetic of decimals: exact, or an error.
extension RowFunctionCall {
    /// Computes a function of one decimal, or a number made a decimal or of one.
    func decimal(_ value: Slot, _ arena: RowBuffer) throws(DBClientError) -> Slot {
        if value.kind == .integer { return try kept(DecimalNumber(value.integer), arena) }
        guard value.kind == .data, let number = DecimalNumber(value.bytes) else { throw notDecimal }
        switch function {
        case .negate: return try kept(number.negated, arena)
        case .magnitude: return try kept(number.magnitude, arena)
        default: break
        }
        switch type {
        case .double, .float:
            let real = type == .float ? Float(number.text).map(Double.init) : Double(number.text)
            guard let real, real.isFinite, real != 0 || number.digits == 0 else { throw notInType }
            return .real(real)
        case .integer:
            guard let integer = number.integer, type.bounds?.contains(integer) ?? true else {
                throw notInType
            }
            return .integer(integer)
        default: return value
        }
    }

    /// Computes a function of two decimals.
    func decimal(_ left: Slot, _ right: Slot, _ arena: RowBuffer) throws(DBClientError) -> Slot {
        guard let first = DecimalNumber(left.bytes), let second = DecimalNumber(right.bytes) else {
            throw notDecimal
        }
        switch function {
        case .add: return try kept(first.adding(second), arena)
        case .subtract: return try kept(first.adding(second.negated), arena)
        case .multiply: return try kept(first.multiplied(by: second), arena)
        default: return picked(left, right)
        }
    }

    /// Computes the quotient of two decimals, rounded to as many digits behind the point as a third one says.
    func quotient(
        _ dividend: Slot,
        _ divisor: Slot,
        _ scale: Slot,
        _ arena: RowBuffer
    ) throws(DBClientError) -> Slot {
        if dividend.isNull || divisor.isNull || scale.isNull { return .null }
        guard let dividend = DecimalNumber(dividend.bytes),
            let divisor = DecimalNumber(divisor.bytes), let scale = DecimalNumber(scale.bytes),
            let digits = scale.integer, (-128...128).contains(digits)
        else { throw notDecimal }
        if divisor.digits == 0 { throw failure("A number must not be divided by zero.") }
        return try kept(dividend.divided(by: divisor, scale: Int(digits)), arena)
    }

    private func kept(
        _ number: DecimalNumber?,
        _ arena: RowBuffer
    ) throws(DBClientError) -> Slot {
        guard let form = number?.form else {
            throw failure("A decimal must have at most 38 digits, and be one that can be kept.")
        }
        return .data(Self.kept(form, arena))
    }

    private var notDecimal: DBClientError { failure("A decimal must be one that can be kept.") }

    private var notInType: DBClientError {
        failure("A number must be within the range of \(type.name).")
    }
}
