public import Foundation

/// A type of values that expressions are made of: numbers, Booleans, text, data, dates and UUIDs, and optionals of them.
public protocol ExpressionValue: StorableValue {
    /// The type itself, or the one that an optional wraps.
    associatedtype Present: ExpressionValue = Self
}

/// A number that is added, subtracted and multiplied, or an optional one: an integer, a double, a float or a decimal.
public protocol ArithmeticValue: AdditiveValue where Present: ArithmeticValue {}

/// A number that is also divided, or an optional one: an integer, a double or a float.
public protocol NumberValue: ArithmeticValue where Present: NumberValue {}

/// An integer or an optional one.
public protocol IntegerValue: NumberValue {}

/// A value that `+` puts together: a number or text, or an optional one.
public protocol AdditiveValue: ExpressionValue where Present: AdditiveValue {}

extension Int: IntegerValue {}
extension Int8: IntegerValue {}
extension Int16: IntegerValue {}
extension Int32: IntegerValue {}
extension Int64: IntegerValue {}
extension UInt: IntegerValue {}
extension UInt8: IntegerValue {}
extension UInt16: IntegerValue {}
extension UInt32: IntegerValue {}
extension UInt64: IntegerValue {}
extension Double: NumberValue {}
extension Float: NumberValue {}
extension String: AdditiveValue {}
extension Bool: ExpressionValue {}
extension Data: ExpressionValue {}
extension Date: ExpressionValue {}
extension Decimal: ArithmeticValue {}
extension UUID: ExpressionValue {}

extension Optional: ExpressionValue where Wrapped: ExpressionValue {
    /// The type that the optional wraps, through all levels of optionals.
    public typealias Present = Wrapped.Present
}
extension Optional: ArithmeticValue where Wrapped: ArithmeticValue {}
extension Optional: NumberValue where Wrapped: NumberValue {}
extension Optional: IntegerValue where Wrapped: IntegerValue {}
extension Optional: AdditiveValue where Wrapped: AdditiveValue {}
