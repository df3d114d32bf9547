import DBClientCore

/// Rows on their way into `COPY … FROM STDIN (FORMAT binary)`.
///
/// Bytes are gathered in one buffer and handed to libpq when there are enough of them; rows travel
/// while the next ones are written.
struct CopyWriter {
    private let connection: PostgreSQLConnection
    private let types: [ServerType]
    private var buffer: UnsafeMutableRawPointer
    private var capacity = 1 << 16
    private var count = 0
    private let number = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 8)

    private static let full = 1 << 15

    /// Begins after the statement was answered; `types` are those of the columns.
    init(_ connection: PostgreSQLConnection, _ types: [ServerType]) {
        self.connection = connection
        self.types = types
        buffer = .allocate(byteCount: capacity, alignment: 8)
        let signature: [UInt8] =
            Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [0, 0, 0, 0, 0, 0, 0, 0]
        signature.withUnsafeBytes { put($0) }
    }

    func deallocate() {
        buffer.deallocate()
        number.deallocate()
    }

    /// Begins a row of so many columns.
    mutating func beginRow(_ columns: Int) throws {
        if count >= Self.full { try send() }
        reserve(2)
        buffer.storeBytes(of: Int16(columns).bigEndian, toByteOffset: count, as: Int16.self)
        count += 2
    }

    /// Adds a number of four bytes as a column.
    mutating func put(_ value: Int32) {
        reserve(8)
        buffer.storeBytes(of: Int32(4).bigEndian, toByteOffset: count, as: Int32.self)
        buffer.storeBytes(of: value.bigEndian, toByteOffset: count + 4, as: Int32.self)
        count += 8
    }

    /// Adds a column of the row.
    @inline(__always)
    mutating func put(_ slot: Slot, _ column: Int) throws {
        switch (types[column], slot.kind) {
        case (_, .null):
            reserve(4)
            putLength(-1)
        case (.bigint, .integer): putWord(UInt64(bitPattern: slot.integer))
        case (.double, .real): putWord(slot.bits)
        case (.text, .text), (.varyingCharacter, .text), (.json, .text), (.bytea, .data),
            (.uuid, .data):
            let bytes = slot.bytes
            reserve(4 + bytes.count)
            putLength(Int32(truncatingIfNeeded: bytes.count))
            put(bytes)
        default: try putOther(slot, types[column])
        }
    }

    @inline(__always)
    private mutating func putWord(_ word: UInt64) {
        reserve(12)
        putLength(8)
        buffer.storeBytes(of: word.bigEndian, toByteOffset: count, as: UInt64.self)
        count += 8
    }

    @inline(never)
    private mutating func putOther(_ slot: Slot, _ type: ServerType) throws {
        if let length = try ParameterEncoding.fixed(slot, as: type, to: number) {
            reserve(4 + length)
            putLength(Int32(length))
            put(UnsafeRawBufferPointer(start: number, count: length))
            return
        }
        let bytes = try ParameterEncoding.bytes(slot, as: type)
        reserve(4 + bytes.count)
        putLength(Int32(bytes.count))
        bytes.withUnsafeBytes { put($0) }
    }

    @inline(__always)
    private mutating func putLength(_ length: Int32) {
        buffer.storeBytes(of: length.bigEndian, toByteOffset: count, as: Int32.self)
        count += 4
    }

    private mutating func put(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        if let start = bytes.baseAddress {
            (buffer + count).copyMemory(from: start, byteCount: bytes.count)
        }
        count += bytes.count
    }

    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if count + more > capacity { grow(count + more) }
    }

    private mutating func grow(_ needed: Int) {
        capacity = max(capacity * 2, needed)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        larger.copyMemory(from: buffer, byteCount: count)
        buffer.deallocate()
        buffer = larger
    }

    /// Sends the rows in the buffer and empties it.
    mutating func send() throws {
        try connection.putCopyData(UnsafeRawBufferPointer(start: buffer, count: count))
        count = 0
    }

    /// Sends the trailer that ends the rows.
    mutating func end() throws {
        reserve(2)
        buffer.storeBytes(of: Int16(-1).bigEndian, toByteOffset: count, as: Int16.self)
        count += 2
        try send()
    }
}
