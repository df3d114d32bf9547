import DBClientCore
import Foundation

/// A kind of primary key of a made-up model.
protocol ShapeKey: Sendable {
    associatedtype Value: PrimaryKeyValue & StorableValue & Comparable & Codable & OracleValue

    /// Returns a key out of few.
    static func make(_ draws: Draws) -> Value
}

enum IntegerKey: ShapeKey {
    static func make(_ draws: Draws) -> Int { draws.below(12) - 4 }
}

enum ByteKey: ShapeKey {
    static func make(_ draws: Draws) -> UInt8 { draws.pick(0, 1, 2, 3, 127, 128, 254, 255) }
}

enum TextKey: ShapeKey {
    static func make(_ draws: Draws) -> String { SampleValues.keyText(draws) }
}

enum DateKey: ShapeKey {
    static func make(_ draws: Draws) -> Date { SampleValues.date(draws) }
}

enum DecimalKey: ShapeKey {
    static func make(_ draws: Draws) -> Decimal { SampleValues.decimal(draws) }
}

enum UUIDKey: ShapeKey {
    static func make(_ draws: Draws) -> UUID { SampleValues.uuid(draws) }
}

enum EnumKey: ShapeKey {
    static func make(_ draws: Draws) -> Era { draws.pick(from: Era.allCases) ?? .modern }
}

/// An enum that is ordered by its raw values.
enum Era: String, PrimaryKeyValue, StorableValue, Codable, CaseIterable, Comparable, OracleValue {
    case golden
    case silver
    case bronze
    case modern = "Modern"
    case unnamed = ""

    static func < (left: Era, right: Era) -> Bool { order(left, right) < 0 }

    static func order(_ left: Era, _ right: Era) -> Int {
        String.order(left.rawValue, right.rawValue)
    }

    var shown: String { rawValue.shown }
}
