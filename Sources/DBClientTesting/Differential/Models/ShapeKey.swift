import DBClientCore
import Foundation

/// A kind of primary key of a made-up model.
protocol ShapeKey: Sendable {
    associatedtype Value: PrimaryKeyValue & StorableValue & Comparable & OracleValue

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
