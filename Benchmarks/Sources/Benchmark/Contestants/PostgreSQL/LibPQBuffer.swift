import CRawLibPQ

/// Rows in the form of COPY's binary format.
struct LibPQBuffer {
    private let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 17, alignment: 8)
    private var count = 0

    /// Microseconds from 1970 to 2000, where the server's timestamps begin.
    static let epoch: Int64 = 946_684_800_000_000

    var isFull: Bool { count > 1 << 15 }

    mutating func begin() {
        count = 0
        for byte in Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0] {
            memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count += 1
        }
    }

    mutating func end() {
        put(Int16(-1))
    }

    /// Hands the bytes to libpq.
    mutating func send(to handle: OpaquePointer) -> Bool {
        defer { count = 0 }
        return PQputCopyData(handle, memory.assumingMemoryBound(to: CChar.self), Int32(count)) == 1
    }

    @inline(__always)
    private mutating func put<Value: FixedWidthInteger>(_ value: Value) {
        memory.storeBytes(of: value.bigEndian, toByteOffset: count, as: Value.self)
        count += MemoryLayout<Value>.size
    }

    @inline(__always)
    private mutating func put(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            put(Int32(bytes.count))
            if let start = bytes.baseAddress {
                (memory + count).copyMemory(from: start, byteCount: bytes.count)
            }
            count += bytes.count
        }
    }

    @inline(__always)
    private mutating func put(word: Int64) {
        put(Int32(8))
        put(word)
    }

    /// Adds a row, whose texts are far shorter than the buffer.
    mutating func put(_ row: Character) {
        put(Int16(8))
        put(word: Int64(row.id))
        put(row.name)
        put(row.realName)
        if let publisher = row.publisherId { put(word: Int64(publisher)) } else { put(Int32(-1)) }
        put(word: Int64(bitPattern: row.power.bitPattern))
        put(word: row.createdMicroseconds - Self.epoch)
        put(Int32(1))
        put(UInt8(row.isActive ? 1 : 0))
        if let bio = row.bio { put(bio) } else { put(Int32(-1)) }
    }
}
