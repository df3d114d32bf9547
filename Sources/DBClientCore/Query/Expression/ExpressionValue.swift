public import Foundation

/// A type of values that expressions are made of: numbers, Booleans, text, data, dates and UUIDs, and optionals of them.
public protocol ExpressionValue: StorableValue {
    /// The type itself, or the one that an optional wraps.
    associatedtype Present: ExpressionValue = Self
}

/// A number or an optional one: an integer, a double or a float.
public protocol NumberValue: ExpressionValue where Present: NumberValue {}

/// An integer or an optional one.
public protocol IntegerValue: NumberValue {}

/// A value that `+` puts together: a number or text, or an optional one.
public protocol AdditiveValue: ExpressionValue where Present: AdditiveValue {}

extension Int: IntegerValue, AdditiveValue {}
extension Int8: IntegerValue, AdditiveValue {}
extension Int16: IntegerValue, AdditiveValue {}
extension Int32: IntegerValue, AdditiveValue {}
extension Int64: IntegerValue, AdditiveValue {}
extension UInt: IntegerValue, AdditiveValue {}
extension UInt8: IntegerValue, AdditiveValue {}
extension UInt16: IntegerValue, AdditiveValue {}
extension UInt32: IntegerValue, AdditiveValue {}
extension UInt64: IntegerValue, AdditiveValue {}
extension Double: NumberValue, AdditiveValue {}
extension Float: NumberValue, AdditiveValue {}
extension String: AdditiveValue {}
extension Bool: ExpressionValue {}
extension Data: ExpressionValue {}
extension Date: ExpressionValue {}
extension Decimal: ExpressionValue {}
extension UUID: ExpressionValue {}

extension Optional: ExpressionValue where Wrapped: ExpressionValue {
    /// The type that the optional wraps, through all levels of optionals.
    public typealias Present = Wrapped.Present
}
extension Optional: NumberValue where Wrapped: NumberValue {}
extension Optional: IntegerValue where Wrapped: IntegerValue {}
extension Optional: AdditiveValue where Wrapped: AdditiveValue {}
