/// The words that a search asks for, to be found among those of texts.
struct SearchVocabulary: Sendable {
    /// A word of the search.
    private struct Entry: Sendable {
        let bytes: [UInt8]
        let isPrefix: Bool
    }

    private var entries: [Entry] = []
    /// The positions of whole words by their hash.
    private var whole: [UInt64: [Int]] = [:]
    /// The positions of beginnings of words.
    private var prefixes: [Int] = []

    /// How many words there are.
    var count: Int { entries.count }

    /// Returns whether the word at a position is the beginning of one.
    func isPrefix(_ position: Int) -> Bool { entries[position].isPrefix }

    /// Returns the position of a word, which is added if it is new.
    mutating func insert(_ word: String, isPrefix: Bool) -> Int {
        let bytes = Array(word.utf8)
        let known = entries.firstIndex { $0.isPrefix == isPrefix && $0.bytes == bytes }
        if let known { return known }
        let position = entries.count
        entries.append(Entry(bytes: bytes, isPrefix: isPrefix))
        if isPrefix {
            prefixes.append(position)
        } else {
            whole[bytes.withUnsafeBytes(Self.hash), default: []].append(position)
        }
        return position
    }

    /// Calls a function with the position of each word that a word of a text is, or begins with.
    func visit(_ word: UnsafeRawBufferPointer, _ body: (Int) -> Void) {
        if !whole.isEmpty, let positions = whole[Self.hash(word)] {
            for position in positions
            where word.elementsEqual(entries[position].bytes) {
                body(position)
            }
        }
        for position in prefixes where word.starts(with: entries[position].bytes) {
            body(position)
        }
    }

    /// Returns the 64-bit FNV-1a hash of some bytes.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}
