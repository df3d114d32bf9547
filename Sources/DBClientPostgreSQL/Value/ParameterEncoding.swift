import CLibPQ
import DBClientCore
import Foundation

/// The server's binary form of single values.
enum ParameterEncoding {
    /// Writes a value of a few bytes and returns their number; nil when the type's values have any
    /// length.
    ///
    /// - Throws: `.invalidValue` when the value does not fit the type.
    static func fixed(
        _ slot: Slot,
        as type: ServerType,
        to target: UnsafeMutableRawPointer
    ) throws -> Int? {
        switch (type, slot.kind) {
        case (.bigint, .integer):
            target.storeBytes(of: slot.integer.bigEndian, as: Int64.self)
            return 8
        case (.integer, .integer), (.objectIdentifier, .integer):
            guard let value = Int32(exactly: slot.integer) else { throw tooLarge }
            target.storeBytes(of: value.bigEndian, as: Int32.self)
            return 4
        case (.smallint, .integer):
            guard let value = Int16(exactly: slot.integer) else { throw tooLarge }
            target.storeBytes(of: value.bigEndian, as: Int16.self)
            return 2
        case (.boolean, .integer):
            target.storeBytes(of: slot.integer == 0 ? 0 : 1, as: UInt8.self)
            return 1
        case (.timestamptz, .integer), (.timestamp, .integer):
            let (value, overflow) = slot.integer.subtractingReportingOverflow(ServerType.epoch)
            if overflow { throw tooLarge }
            target.storeBytes(of: value.bigEndian, as: Int64.self)
            return 8
        case (.double, .real), (.double, .integer):
            target.storeBytes(of: number(slot).bitPattern.bigEndian, as: UInt64.self)
            return 8
        case (.real, .real), (.real, .integer):
            target.storeBytes(of: Float(number(slot)).bitPattern.bigEndian, as: UInt32.self)
            return 4
        case (.uuid, .data) where slot.length == 16:
            guard let bytes = slot.bytes.baseAddress else { return nil }
            target.copyMemory(from: bytes, byteCount: 16)
            return 16
        case (.numeric, .data):
            guard let length = Numeric.encode(slot.bytes, to: target) else {
                throw misfit(slot, type.rawValue)
            }
            return length
        case (.numeric, .integer), (.numeric, .real):
            guard let length = try numeric(slot, to: target) else {
                throw misfit(slot, type.rawValue)
            }
            return length
        default: return nil
        }
    }

    /// Returns the bytes of a value of a type whose values have any length.
    static func bytes(_ slot: Slot, as type: ServerType) throws -> [UInt8] {
        if type.element != nil, slot.kind == .data {
            return try array(of: type) { try ValueList.visit(slot.bytes, $0) }
        }
        switch (type, slot.kind) {
        case (.jsonb, .text): return [1] + Array(slot.bytes)
        case (.bytea, .data), (.bytea, .text): return Array(slot.bytes)
        case (.text, .integer), (.varyingCharacter, .integer), (.unknown, .integer):
            return Array(String(slot.integer).utf8)
        case (.text, .real), (.varyingCharacter, .real), (.unknown, .real):
            return Array(String(slot.real).utf8)
        case (_, .text) where type.slotKind == .text: return Array(slot.bytes)
        default: throw misfit(slot, type.rawValue)
        }
    }

    /// Returns the server's form of an array of the values that a function visits, so many or fewer.
    static func array(
        of type: ServerType,
        capacity: Int = 0,
        _ visit: ((Slot) throws -> Void) throws -> Void
    ) throws -> [UInt8] {
        guard let element = type.element else { return [] }
        var writer = ByteWriter()
        writer.bytes.reserveCapacity(24 + 12 * capacity)
        writer.put(Int32(1))
        let nullsPosition = writer.bytes.count
        writer.put(Int32(0))
        writer.put(Int32(bitPattern: element.rawValue))
        let countPosition = writer.bytes.count
        writer.put(Int32(0))
        writer.put(Int32(1))
        var count: Int32 = 0
        // A length of four bytes and a number of 32 at most, which are appended together.
        let prefix = MemoryLayout<Int32>.size
        let number = UnsafeMutableRawPointer.allocate(byteCount: prefix + 32, alignment: 8)
        defer { number.deallocate() }
        try visit { slot in
            count += 1
            if slot.isNull {
                writer.replace(1, at: nullsPosition)
                return writer.put(Int32(-1))
            }
            if let length = try fixed(slot, as: element, to: number + prefix) {
                number.storeBytes(of: Int32(length).bigEndian, as: Int32.self)
                writer.bytes.append(
                    contentsOf: UnsafeRawBufferPointer(start: number, count: prefix + length)
                )
            } else if slot.kind == .text && element != .jsonb || slot.kind == .data {
                writer.put(Int32(truncatingIfNeeded: slot.bytes.count))
                writer.bytes.append(contentsOf: slot.bytes)
            } else {
                let bytes = try bytes(slot, as: element)
                writer.put(Int32(bytes.count))
                writer.bytes.append(contentsOf: bytes)
            }
        }
        if count == 0 { return [0, 0, 0, 0, 0, 0, 0, 0] + writer.bytes[8..<12] }
        writer.replace(count, at: countPosition)
        return writer.bytes
    }

    private static func number(_ slot: Slot) -> Double {
        slot.kind == .integer ? Double(slot.integer) : slot.real
    }

    private static func numeric(
        _ slot: Slot,
        to target: UnsafeMutableRawPointer
    ) throws -> Int? {
        let text = slot.kind == .integer ? String(slot.integer) : String(slot.real)
        guard let decimal = Decimal(string: text) else { return nil }
        guard case .data(let ordered) = try StorageValue(storing: decimal) else { return nil }
        return ordered.withUnsafeBytes { Numeric.encode($0, to: target) }
    }

    private static let tooLarge = DBClientError(
        .invalidValue,
        "A number does not fit the column's type."
    )

    static func misfit(_ slot: Slot, _ type: Oid) -> DBClientError {
        DBClientError(
            .invalidValue,
            "A stored \(slot.kind) is no value of the server's type \(type).",
            hint: "Cast the parameter in the statement.",
            underlying: ParameterMisfit()
        )
    }
}

/// The value of a parameter is none of the type that the server has given the parameter.
struct ParameterMisfit: Error {}
