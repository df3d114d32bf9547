import CLibPQ
import DBClientCore
import Foundation

/// The parameters of a statement in the server's binary form.
///
/// Numbers are written into memory of the parameters' own; text and data are borrowed unless they
/// are to be copied.
final class Parameters {
    let types: [Oid]
    private let kinds: [ServerType?]
    private(set) var values: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private(set) var lengths: UnsafeMutablePointer<Int32>
    private(set) var formats: UnsafeMutablePointer<Int32>
    private let numbers: UnsafeMutableRawPointer
    private var copies: [UnsafeMutableRawPointer] = []

    var count: Int { types.count }

    /// The bytes that each parameter has for a number: room for the longest.
    private static let stride = 32

    init(_ types: [Oid]) {
        self.types = types
        kinds = types.map(ServerType.init(rawValue:))
        let count = max(types.count, 1)
        values = .allocate(capacity: count)
        values.initialize(repeating: nil, count: count)
        lengths = .allocate(capacity: count)
        lengths.initialize(repeating: 0, count: count)
        formats = .allocate(capacity: count)
        formats.initialize(repeating: 1, count: count)
        numbers = .allocate(byteCount: Self.stride * count, alignment: 8)
    }

    deinit {
        releaseCopies()
        values.deallocate()
        lengths.deallocate()
        formats.deallocate()
        numbers.deallocate()
    }

    /// Forgets the copies of the last values.
    func releaseCopies() {
        for copy in copies { copy.deallocate() }
        copies.removeAll(keepingCapacity: true)
    }

    /// The values as they are set, each with its length, to compare them with others.
    var bytes: [UInt8] {
        let prefix = MemoryLayout<Int32>.size
        var size = prefix * count
        for index in 0..<count where values[index] != nil { size += Int(lengths[index]) }
        // The empty array is one for all threads, and filling it would write to it.
        if size == 0 { return [] }
        return [UInt8](unsafeUninitializedCapacity: size) { bytes, initializedCount in
            let start = UnsafeMutableRawBufferPointer(bytes)
            for index in 0..<count {
                let length = values[index] == nil ? -1 : lengths[index]
                start.storeBytes(of: length, toByteOffset: initializedCount, as: Int32.self)
                initializedCount += prefix
                guard length > 0, let value = values[index] else { continue }
                start[initializedCount...].copyBytes(
                    from: UnsafeRawBufferPointer(start: value, count: Int(length))
                )
                initializedCount += Int(length)
            }
        }
    }

    /// Whether the values are those that have such `bytes`.
    func areSet(to bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            let prefix = MemoryLayout<Int32>.size
            var offset = 0
            for index in 0..<count {
                let length = values[index] == nil ? -1 : lengths[index]
                guard bytes.count - offset >= prefix + Int(max(length, 0)),
                    bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self) == length
                else { return false }
                offset += prefix
                guard length > 0, let value = values[index], let start = bytes.baseAddress
                else { continue }
                if memcmp(value, start + offset, Int(length)) != 0 { return false }
                offset += Int(length)
            }
            return offset == bytes.count
        }
    }

    /// Sets a parameter; its bytes are borrowed until the statement was sent, unless they are copied.
    @inline(__always)
    func set(_ slot: Slot, at index: Int, copying: Bool = false) throws {
        switch (kinds[index], slot.kind) {
        case (_, .null): values[index] = nil
        case (.bigint, .integer): setBigint(slot.integer, at: index)
        case (.text, .text), (.varyingCharacter, .text), (.json, .text), (.bytea, .data):
            setBytes(slot.bytes, at: index, copying: copying)
        case (.double, .real): setBigint(Int64(bitPattern: slot.bits), at: index)
        default: try setOther(slot, at: index)
        }
    }

    /// Sets a parameter, which is an array, to a copy of a column's values.
    func setList(_ batch: RowBatch, _ column: Int, at index: Int) throws {
        guard let kind = kinds[index], kind.element != nil else {
            throw ParameterEncoding.misfit(.null, types[index])
        }
        let bytes = try ParameterEncoding.array(of: kind, capacity: batch.count) { visit in
            for row in 0..<batch.count { try visit(batch[row, column]) }
        }
        bytes.withUnsafeBytes { setBytes($0, at: index, copying: true) }
    }

    @inline(__always)
    private func setBigint(_ value: Int64, at index: Int) {
        let address = numbers + index * Self.stride
        address.storeBytes(of: value.bigEndian, as: Int64.self)
        setNumber(address, 8, at: index)
    }

    @inline(__always)
    private func setNumber(_ address: UnsafeMutableRawPointer, _ length: Int32, at index: Int) {
        values[index] = UnsafePointer(address.assumingMemoryBound(to: CChar.self))
        lengths[index] = length
    }

    private func setBytes(_ bytes: UnsafeRawBufferPointer, at index: Int, copying: Bool) {
        var start = bytes.baseAddress ?? UnsafeRawPointer(numbers)
        if copying, bytes.count > 0 {
            let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 1)
            copy.copyMemory(from: start, byteCount: bytes.count)
            copies.append(copy)
            start = UnsafeRawPointer(copy)
        }
        values[index] = start.assumingMemoryBound(to: CChar.self)
        lengths[index] = Int32(truncatingIfNeeded: bytes.count)
    }

    private func setOther(_ slot: Slot, at index: Int) throws {
        guard let kind = kinds[index] else {
            // A type of which the driver knows no binary form takes text.
            guard slot.kind == .text else { throw ParameterEncoding.misfit(slot, types[index]) }
            formats[index] = 0
            var text = Array(slot.bytes)
            text.append(0)
            text.withUnsafeBytes { setBytes($0, at: index, copying: true) }
            return
        }
        let address = numbers + index * Self.stride
        if let length = try ParameterEncoding.fixed(slot, as: kind, to: address) {
            return setNumber(address, Int32(length), at: index)
        }
        let bytes = try ParameterEncoding.bytes(slot, as: kind)
        bytes.withUnsafeBytes { setBytes($0, at: index, copying: true) }
    }
}
