import DBClientCore
import Foundation

/// A kind of primary key of a made-up model.
protocol ShapeKey: Sendable {
    associatedtype Value: PrimaryKeyValue & StorableValue & Comparable & Codable & OracleValue

    /// Returns a key out of few.
    static func make(_ random: RandomSource) -> Value
}

enum IntegerKey: ShapeKey {
    static func make(_ random: RandomSource) -> Int { random.below(12) - 4 }
}

enum ByteKey: ShapeKey {
    static func make(_ random: RandomSource) -> UInt8 {
        random.pick(0, 1, 2, 3, 127, 128, 254, 255)
    }
}

enum TextKey: ShapeKey {
    static func make(_ random: RandomSource) -> String { SampleValues.keyText(random) }
}

enum DateKey: ShapeKey {
    static func make(_ random: RandomSource) -> Date { SampleValues.date(random) }
}

enum DecimalKey: ShapeKey {
    static func make(_ random: RandomSource) -> Decimal { SampleValues.decimal(random) }
}

enum UUIDKey: ShapeKey {
    static func make(_ random: RandomSource) -> UUID { SampleValues.uuid(random) }
}

enum EnumKey: ShapeKey {
    static func make(_ random: RandomSource) -> Era { random.pick(from: Era.allCases) ?? .modern }
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
