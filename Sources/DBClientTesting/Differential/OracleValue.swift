import Foundation

/// A value as the oracle of the differential test sees it: Swift's own, compared and shown by code
/// that shares nothing with the library's.
protocol OracleValue: Sendable {
    /// Returns the order of two values: negative, zero or positive.
    static func order(_ left: Self, _ right: Self) -> Int
    /// Whether the value is an absent one: nil of an optional.
    var isAbsent: Bool { get }
    /// The value as text that differs for values that differ.
    var shown: String { get }
}

extension OracleValue {
    var isAbsent: Bool { false }
}

extension OracleValue where Self: Comparable {
    static func order(_ left: Self, _ right: Self) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }

    var shown: String { "\(self)" }
}

extension Int: OracleValue {}
extension Int8: OracleValue {}
extension Int16: OracleValue {}
extension Int32: OracleValue {}
extension Int64: OracleValue {}
extension UInt: OracleValue {}
extension UInt8: OracleValue {}
extension UInt16: OracleValue {}
extension UInt32: OracleValue {}
extension UInt64: OracleValue {}
extension Float: OracleValue {}
extension Decimal: OracleValue {}

extension Date: OracleValue {
    var shown: String { "@\(timeIntervalSinceReferenceDate)" }
}

extension Bool: OracleValue {
    static func order(_ left: Bool, _ right: Bool) -> Int {
        (left ? 1 : 0) - (right ? 1 : 0)
    }

    var shown: String { "\(self)" }
}

extension String: OracleValue {
    static func order(_ left: String, _ right: String) -> Int {
        OracleText.order(Array(left.utf8), Array(right.utf8))
    }

    /// The scalars, since two texts that Unicode holds to be equal must show different.
    var shown: String {
        let scalars = unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
        return scalars.count < 200
            ? "'\(scalars)'" : "'\(scalars.prefix(20))…\(scalars.suffix(20))' (\(scalars.count))"
    }
}

extension Data: OracleValue {
    static func order(_ left: Data, _ right: Data) -> Int {
        OracleText.order(Array(left), Array(right))
    }

    var shown: String { "<\(map(\.description).joined(separator: " "))>" }
}

extension UUID: OracleValue {
    static func order(_ left: UUID, _ right: UUID) -> Int {
        OracleText.order(Array(left.uuidString.utf8), Array(right.uuidString.utf8))
    }

    var shown: String { uuidString }
}

extension URL: OracleValue {
    static func order(_ left: URL, _ right: URL) -> Int {
        String.order(left.absoluteString, right.absoluteString)
    }

    var shown: String { absoluteString }
}

extension Mood: OracleValue {
    static func order(_ left: Mood, _ right: Mood) -> Int {
        String.order(left.rawValue, right.rawValue)
    }

    var shown: String { rawValue }
}

extension Optional: OracleValue where Wrapped: OracleValue {
    static func order(_ left: Wrapped?, _ right: Wrapped?) -> Int {
        switch (left, right) {
        case (let left?, let right?): Wrapped.order(left, right)
        case (nil, nil): 0
        case (nil, _): -1
        case (_, nil): 1
        }
    }

    var isAbsent: Bool { self == nil }
    var shown: String { self?.shown ?? "nil" }
}

extension Double: OracleValue {
    /// What is no number may have a sign that means nothing.
    var shown: String { isNaN ? "nan" : "\(self)" }
}
