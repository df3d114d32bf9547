import CRawLibPQ
import Foundation

/// Reads fields of a binary result.
enum LibPQRow {
    /// Reads eight bytes; null is zero.
    @inline(__always)
    static func word(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> Int64 {
        guard let value = PQgetvalue(result, row, column) else { return 0 }
        return Int64(bigEndian: UnsafeRawPointer(value).loadUnaligned(as: Int64.self))
    }

    /// Reads a whole number.
    @inline(__always)
    static func integer(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> Int {
        Int(word(result, row, column))
    }

    /// Reads a `numeric` without a fraction: groups of four digits behind their number, weight, sign and scale.
    static func number(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> Int {
        guard let value = PQgetvalue(result, row, column) else { return 0 }
        func part(_ index: Int) -> Int {
            Int(
                Int16(
                    bigEndian: UnsafeRawPointer(value).loadUnaligned(
                        fromByteOffset: index * 2,
                        as: Int16.self
                    )
                )
            )
        }
        let (count, weight) = (part(0), part(1))
        var number = 0
        for index in 0..<Swift.max(weight + 1, 0) {
            number = number * 10_000 + (index < count ? part(4 + index) : 0)
        }
        return part(2) == 0 ? number : -number
    }

    /// Reads text.
    @inline(__always)
    static func text(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> String {
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column),
            count: Int(PQgetlength(result, row, column))
        )
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Character {
    /// Reads a row of a binary result.
    @inline(__always)
    init(_ result: OpaquePointer, _ row: Int32) {
        self.init(
            id: LibPQRow.integer(result, row, 0),
            name: LibPQRow.text(result, row, 1),
            realName: LibPQRow.text(result, row, 2),
            publisherId: PQgetisnull(result, row, 3) != 0
                ? nil : LibPQRow.integer(result, row, 3),
            power: Double(bitPattern: UInt64(bitPattern: LibPQRow.word(result, row, 4))),
            createdAt: Date(microseconds: LibPQRow.word(result, row, 5) + LibPQBuffer.epoch),
            isActive: PQgetvalue(result, row, 6)?.pointee != 0,
            bio: PQgetisnull(result, row, 7) != 0 ? nil : LibPQRow.text(result, row, 7)
        )
    }
}
