/// The keys of the table in which the index of a search is.
///
/// | first byte | then | value |
/// |---|---|---|
/// | `d` | a value's number, 8 bytes, big-endian | the value's primary key |
/// | `k` | a primary key | the value's number, 8 bytes, big-endian |
/// | `w` | a word, 0, and the least number that the block may have, 8 bytes, big-endian | a ``PostingBlock`` |
/// | 0xFF | | ``SearchIndexFigures`` |
///
/// Values whose primary key is one integer have its bits, the first one flipped, as their number, and entries of neither of
/// the first two kinds. So numbers ascend with such keys. The last key is there whenever any other is.
package enum SearchIndexKey {
    /// The first byte of a value's number.
    package static let document: UInt8 = 0x64
    /// The first byte of a primary key.
    package static let primaryKey: UInt8 = 0x6B
    /// The first byte of a word.
    package static let word: UInt8 = 0x77
    /// The key of the figures.
    package static let figures: [UInt8] = [0xFF]

    /// How many bytes of a word are kept.
    ///
    /// A word of so many or more is found by its beginning alone.
    static let wordLimit = 200

    /// Returns the key of a value's number.
    static func document(_ number: UInt64) -> [UInt8] {
        var key = [document]
        append(number, to: &key)
        return key
    }

    /// Returns the key of a primary key.
    static func primaryKey(_ bytes: UnsafeRawBufferPointer) -> [UInt8] { [primaryKey] + bytes }

    /// Returns how the keys of a word's blocks begin.
    static func blocks(of word: some Collection<UInt8>) -> [UInt8] {
        [Self.word] + word.prefix(wordLimit) + [0]
    }

    static func append(_ number: UInt64, to key: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { key.append(contentsOf: $0) }
    }

    /// Returns the number that the last eight bytes are.
    static func number(in key: UnsafeRawBufferPointer) -> UInt64 {
        guard key.count >= 8 else { return 0 }
        return UInt64(
            bigEndian: key.loadUnaligned(fromByteOffset: key.count - 8, as: UInt64.self)
        )
    }

    /// Returns the word and the least number of a block.
    ///
    /// - Throws: `.corrupt` for a key of something else.
    static func block(
        _ key: UnsafeRawBufferPointer
    ) throws -> (word: UnsafeRawBufferPointer, start: UInt64) {
        guard key.count >= 10, key[0] == word, key[key.count - 9] == 0 else {
            throw DBClientError.searchIndexDamaged
        }
        return (UnsafeRawBufferPointer(rebasing: key[1..<key.count - 9]), number(in: key))
    }
}

/// What an index knows of all values together.
struct SearchIndexFigures: Equatable {
    /// How many values have a word.
    var values = 0
    /// How many words these have.
    var words = 0
    /// The next value's number, where the primary key tells none.
    var nextDocument: UInt64 = 0

    init() {}

    /// Reads what an index has; zeros of one that is empty.
    ///
    /// - Throws: `.corrupt` for what no program wrote.
    init(in cursor: any SearchCursor) throws {
        guard let found = try cursor.find(SearchIndexKey.figures) else {
            self.init()
            return
        }
        try self.init(found)
    }

    init(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count == 24 else { throw DBClientError.searchIndexDamaged }
        func number(_ place: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        }
        // Far more than there can be, and far from where adding one would end the process.
        guard number(0) < 1 << 48, number(8) < 1 << 60, number(16) < 1 << 60 else {
            throw DBClientError.searchIndexDamaged
        }
        values = Int(number(0))
        words = Int(number(8))
        nextDocument = number(16)
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        SearchIndexKey.append(UInt64(values), to: &bytes)
        SearchIndexKey.append(UInt64(words), to: &bytes)
        SearchIndexKey.append(nextDocument, to: &bytes)
        return bytes
    }
}
