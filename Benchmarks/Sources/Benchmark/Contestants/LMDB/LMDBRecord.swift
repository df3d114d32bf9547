import Foundation

/// The compact hand-made record of the LMDB baseline: a fixed header, then the bytes of the texts.
///
/// ```
///  0 power         Double
///  8 createdAt     Int64, microseconds since 1970
/// 16 publisherId   Int64, 0 when absent
/// 24 name          UInt16, length
/// 26 realName      UInt16, length
/// 28 bio           UInt16, length
/// 30 flags         UInt16: active, has a publisher, has a bio
/// 32 name, realName, bio
/// ```
///
/// The key is not repeated in it. Pages give records two-byte alignment, hence the unaligned loads.
struct LMDBRecord {
    /// The first byte of the record, in the map.
    let start: UnsafeRawPointer

    /// The length of the fixed part.
    static let headerSize = 32
    static let activeFlag: UInt16 = 1
    static let publisherFlag: UInt16 = 2
    static let bioFlag: UInt16 = 4

    @inline(__always)
    init(_ start: UnsafeRawPointer) {
        self.start = start
    }

    @inline(__always)
    private func load<Value: BitwiseCopyable>(_ offset: Int, as type: Value.Type) -> Value {
        start.loadUnaligned(fromByteOffset: offset, as: type)
    }

    @inline(__always)
    var power: Double { load(0, as: Double.self) }
    @inline(__always)
    var flags: UInt16 { load(30, as: UInt16.self) }
    @inline(__always)
    var isActive: Bool { flags & Self.activeFlag != 0 }
    @inline(__always)
    var publisherId: Int? {
        flags & Self.publisherFlag == 0 ? nil : load(16, as: Int.self)
    }
    @inline(__always)
    var nameLength: Int { Int(load(24, as: UInt16.self)) }
    @inline(__always)
    var realNameLength: Int { Int(load(26, as: UInt16.self)) }
    @inline(__always)
    var bioLength: Int { Int(load(28, as: UInt16.self)) }
    @inline(__always)
    var name: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start + Self.headerSize, count: nameLength)
    }

    /// Returns the row.
    @inline(__always)
    func decode(key: Int) -> Character {
        let flags = flags
        let nameLength = nameLength
        let realNameLength = realNameLength
        let realName = start + Self.headerSize + nameLength
        return Character(
            id: key,
            name: .read(start + Self.headerSize, nameLength),
            realName: .read(realName, realNameLength),
            publisherId: flags & Self.publisherFlag == 0 ? nil : load(16, as: Int.self),
            power: load(0, as: Double.self),
            createdAt: Date(microseconds: load(8, as: Int64.self)),
            isActive: flags & Self.activeFlag != 0,
            bio: flags & Self.bioFlag == 0 ? nil : .read(realName + realNameLength, bioLength)
        )
    }
}

extension LMDBRecord {
    /// Returns the size of a row's record.
    @inline(__always)
    static func size(of row: Character) throws -> Int {
        let name = row.name.utf8.count
        let realName = row.realName.utf8.count
        let bio = row.bio?.utf8.count ?? 0
        // The name is a part of an index key, which LMDB limits to 511 bytes.
        guard name <= 502, realName <= Int(UInt16.max), bio <= Int(UInt16.max) else {
            throw BenchmarkError("a text is too long for the baseline's record")
        }
        return headerSize + name + realName + bio
    }

    /// Writes a row's record into memory of its size.
    @inline(__always)
    static func encode(_ row: Character, to start: UnsafeMutableRawPointer) {
        var flags: UInt16 = row.isActive ? activeFlag : 0
        if row.publisherId != nil { flags |= publisherFlag }
        if row.bio != nil { flags |= bioFlag }
        var end = start + headerSize
        let name = append(row.name, to: &end)
        let realName = append(row.realName, to: &end)
        let bio = row.bio.map { append($0, to: &end) } ?? 0
        start.storeBytes(of: row.power, toByteOffset: 0, as: Double.self)
        start.storeBytes(of: row.createdMicroseconds, toByteOffset: 8, as: Int64.self)
        start.storeBytes(of: row.publisherId ?? 0, toByteOffset: 16, as: Int.self)
        start.storeBytes(of: name, toByteOffset: 24, as: UInt16.self)
        start.storeBytes(of: realName, toByteOffset: 26, as: UInt16.self)
        start.storeBytes(of: bio, toByteOffset: 28, as: UInt16.self)
        start.storeBytes(of: flags, toByteOffset: 30, as: UInt16.self)
    }

    @inline(__always)
    private static func append(_ text: String, to end: inout UnsafeMutableRawPointer) -> UInt16 {
        var text = text
        let length = text.withUTF8 { bytes in
            if let base = bytes.baseAddress { end.copyMemory(from: base, byteCount: bytes.count) }
            return bytes.count
        }
        end += length
        return UInt16(truncatingIfNeeded: length)
    }
}

extension String {
    /// Creates a valid string from bytes of a file.
    ///
    /// The record has no checksum, so nothing but a look at the bytes says that they are UTF-8; a
    /// string of other bytes is undefined behaviour in Swift.
    @inline(__always)
    fileprivate static func read(_ start: UnsafeRawPointer, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
