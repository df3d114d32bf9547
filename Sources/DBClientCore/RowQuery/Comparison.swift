/// A comparison of two values of one field.
public enum Comparison: UInt8, Hashable, Sendable {
    case equal
    case notEqual
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual

    /// Returns whether it holds for two values of an order: negative, zero or positive.
    @inlinable
    public func holds(for order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }

    /// Returns whether it holds for two numbers.
    @inlinable
    @inline(__always)
    func holds<Number: Comparable>(_ left: Number, _ right: Number) -> Bool {
        holds(for: left < right ? -1 : left == right ? 0 : 1)
    }

    /// Whether it asks for equality or its opposite, which need no order.
    package var isOfEquality: Bool { self == .equal || self == .notEqual }

    /// Whether it holds for an absent field and a value: they differ, and have no order.
    public var holdsForNil: Bool { self == .notEqual }

    /// Returns whether it holds for two fields, of which absent ones are equal and have no order.
    @usableFromInline
    func holds(_ left: Slot, _ right: Slot) -> Bool {
        guard left.isNull || right.isNull else { return holds(for: Slot.compare(left, right)) }
        switch self {
        case .equal: return left.isNull && right.isNull
        case .notEqual: return left.isNull != right.isNull
        default: return false
        }
    }
}

extension Comparison {
    /// The comparison with its sides exchanged.
    var flipped: Comparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }

    /// How it is written; SQL has other signs for what differs.
    package var sign: String {
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

// What the comparison of a number says of its bytes, for an engine that looks at them where they are.
extension Comparison {
    /// Returns the integers for which it holds, or for `.notEqual` those for which it does not; nil for none.
    package func range(of value: Int64) -> ClosedRange<Int64>? {
        switch self {
        case .equal, .notEqual: value...value
        case .less: value > .min ? .min...(value - 1) : nil
        case .lessOrEqual: .min...value
        case .greater: value < .max ? (value + 1)...(.max) : nil
        case .greaterOrEqual: value...(.max)
        }
    }

    /// Returns the reals for which it holds, or for `.notEqual` those for which it does not.
    ///
    /// - Parameter value: A finite number.
    /// - Returns: A range of any numbers but NaN.
    package func range(of value: Double) -> ClosedRange<Double> {
        switch self {
        case .equal, .notEqual: value...value
        case .less: -.infinity...value.nextDown
        case .lessOrEqual: -.infinity...value
        case .greater: value.nextUp...(.infinity)
        case .greaterOrEqual: value...(.infinity)
        }
    }
}
