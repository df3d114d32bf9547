/// What is to be added to the index of a search, and taken out of it: gathered value by value, and written word by word.
///
/// Used by one thread at a time.
package final class SearchChanges {
    /// What becomes of a value in the list of a word.
    struct Change {
        var document: UInt64
        /// Where the payload is; nothing where the value is taken out.
        var payload: Int32
        var size: Int32
        /// The change before, of the same word, plus one.
        var previous: Int32

        var isRemoval: Bool { size < 0 }

        /// Whether the value may have been added by a change before, so that there is nothing to take out.
        var mayBeAbsent = false
    }

    /// A word of a value.
    private struct Posting {
        var word: Int
        var payload: Range<Int>
    }

    let fieldCount: Int
    private(set) var words = IndexedWords()
    /// The last change of each word, plus one.
    private var last: [Int32] = []
    private var changes: [Change] = []
    private(set) var payloads: [UInt8] = []
    /// By how much the figures change.
    private(set) var values = 0
    private(set) var length = 0
    /// The numbers that primary keys get, and those that are taken from them.
    private(set) var numbered: [(key: [UInt8], document: UInt64, isRemoval: Bool)] = []
    private var nextDocument: UInt64?

    // Of the value at hand: the number of a word and the position of its occurrence, and the places of the occurrences.
    private var found: [UInt64] = []
    private var places: [UInt64] = []
    private var placesOfWord: [UInt64] = []

    /// Creates changes of an index of so many fields.
    package init(fieldCount: Int) { self.fieldCount = fieldCount }

    /// Whether there is nothing to write.
    package var isEmpty: Bool { changes.isEmpty && numbered.isEmpty && values == 0 && length == 0 }

    /// Whether what is gathered is to be written, so that it stays small beside what is stored.
    package var isFull: Bool { changes.count >= 1 << 20 || payloads.count >= 1 << 25 }

    // MARK: Values

    /// Adds a new value, given the texts of its fields.
    package func add(_ document: UInt64, _ texts: some Collection<Slot>) {
        let (postings, length) = postings(of: texts)
        for posting in postings { append(posting, document) }
        count(length, 1)
    }

    /// Takes a value out, given the texts that it had.
    package func remove(_ document: UInt64, _ texts: some Collection<Slot>) {
        let (postings, length) = postings(of: texts)
        for posting in postings { append(posting, document, isRemoval: true) }
        count(length, -1)
    }

    /// Changes a value, given the texts that it had and those that it has.
    package func replace(
        _ document: UInt64,
        _ old: some Collection<Slot>,
        with new: some Collection<Slot>
    ) {
        let (former, formerLength) = postings(of: old)
        let (postings, length) = postings(of: new)
        var index = 0
        for posting in postings {
            while index < former.count, former[index].word < posting.word {
                append(former[index], document, isRemoval: true)
                index += 1
            }
            if index < former.count, former[index].word == posting.word {
                let isSame = payloads[former[index].payload] == payloads[posting.payload]
                index += 1
                if isSame { continue }
            }
            append(posting, document)
        }
        for posting in former[index...] { append(posting, document, isRemoval: true) }
        count(formerLength, -1)
        count(length, 1)
    }

    private func count(_ length: Int, _ sign: Int) {
        if length == 0 { return }
        values += sign
        self.length += sign * length
    }

    private func append(_ posting: Posting, _ document: UInt64, isRemoval: Bool = false) {
        while last.count < words.count { last.append(0) }
        changes.append(
            Change(
                document: document,
                payload: Int32(truncatingIfNeeded: posting.payload.lowerBound),
                size: isRemoval ? -1 : Int32(truncatingIfNeeded: posting.payload.count),
                previous: last[posting.word]
            )
        )
        last[posting.word] = Int32(truncatingIfNeeded: changes.count)
    }

    /// Returns the words of a value, by their numbers, and how many words there are in all.
    private func postings(of texts: some Collection<Slot>) -> ([Posting], Int) {
        found.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        for (field, text) in texts.enumerated() where text.kind == .text {
            var place: UInt64 = 0
            SearchWords.visit(text.bytes) { word, _ in
                let kept = UnsafeRawBufferPointer(rebasing: word.prefix(SearchIndexKey.wordLimit))
                found.append(UInt64(words.insert(kept)) << 32 | UInt64(places.count))
                places.append(UInt64(field) << 32 | place)
                place += 1
            }
        }
        found.sort()
        var postings: [Posting] = []
        postings.reserveCapacity(found.count)
        var index = 0
        while index < found.count {
            let word = found[index] >> 32
            placesOfWord.removeAll(keepingCapacity: true)
            while index < found.count, found[index] >> 32 == word {
                placesOfWord.append(places[Int(found[index] & 0xFFFF_FFFF)])
                index += 1
            }
            let start = payloads.count
            PostingBlock.appendPayload(
                length: found.count,
                placesOfWord,
                fieldCount: fieldCount,
                to: &payloads
            )
            postings.append(Posting(word: Int(word), payload: start..<payloads.count))
        }
        return (postings, found.count)
    }

    /// Calls a function with each word of a value and its payload, and returns how many words it has; for a comparison with
    /// an index.
    func visit(
        _ texts: some Collection<Slot>,
        _ body: (UnsafeRawBufferPointer, ArraySlice<UInt8>) -> Void
    ) -> Int {
        payloads.removeAll(keepingCapacity: true)
        if words.count > 1 << 18 { words.removeAll() }
        let (postings, length) = postings(of: texts)
        for posting in postings {
            words.withWord(posting.word) { body($0, payloads[posting.payload]) }
        }
        return length
    }

    // MARK: Numbers of values

    /// Returns the number of a new value with a primary key.
    package func makeDocument(
        _ key: UnsafeRawBufferPointer,
        _ cursor: any SearchCursor
    ) throws -> UInt64 {
        let document = try nextDocument ?? SearchIndexFigures(in: cursor).nextDocument
        nextDocument = document + 1
        numbered.append((Array(key), document, false))
        return document
    }

    /// Returns the number of the value with a primary key, which it loses where it is deleted.
    ///
    /// - Throws: `.corrupt` where there is none.
    package func document(
        _ key: UnsafeRawBufferPointer,
        deleting: Bool = false,
        _ cursor: any SearchCursor
    ) throws -> UInt64 {
        let found = try cursor.find(SearchIndexKey.primaryKey(key))
        guard let found, found.count == 8 else { throw DBClientError.searchIndexDamaged }
        let document = SearchIndexKey.number(in: found)
        if deleting { numbered.append((Array(key), document, true)) }
        return document
    }

    // MARK: Writing

    /// Writes the changes to the index and forgets them.
    package func write(to cursor: any SearchCursor) throws {
        defer { removeAll() }
        var figures = try SearchIndexFigures(in: cursor)
        figures.values += values
        figures.words += length
        if let nextDocument { figures.nextDocument = nextDocument }
        if figures.values < 0 || figures.words < 0 { throw DBClientError.searchIndexDamaged }
        // First, so that there is always a last key.
        try cursor.put(SearchIndexKey.figures, figures.bytes)
        for (key, document, isRemoval) in numbered {
            let primaryKey = key.withUnsafeBytes { SearchIndexKey.primaryKey($0) }
            if isRemoval {
                try cursor.remove(primaryKey)
                try cursor.remove(SearchIndexKey.document(document))
            } else {
                var number: [UInt8] = []
                SearchIndexKey.append(document, to: &number)
                try cursor.put(primaryKey, number)
                try cursor.put(SearchIndexKey.document(document), key)
            }
        }
        if changes.isEmpty { return }
        var writer = PostingWriter(cursor, fieldCount: fieldCount)
        for word in words.sorted where word < last.count && last[word] != 0 {
            let blocks = words.withWord(word) { SearchIndexKey.blocks(of: $0) }
            try writer.write(changes(of: word), payloads, to: blocks)
        }
    }

    /// Returns the changes of a word by the numbers of the values, the last one of each.
    private func changes(of word: Int) -> [Change] {
        var found: [Change] = []
        var isDescending = true
        var next = last[word]
        // From the last to the first.
        while next != 0 {
            let change = changes[Int(next) - 1]
            if let before = found.last, before.document <= change.document { isDescending = false }
            found.append(change)
            next = change.previous
        }
        if isDescending {
            found.reverse()
            return found
        }
        var latest: [UInt64: Change] = [:]
        for change in found {
            if latest[change.document] == nil {
                latest[change.document] = change
            } else {
                latest[change.document]?.mayBeAbsent = true
            }
        }
        return latest.values.sorted { $0.document < $1.document }
    }

    /// Forgets what was gathered and is not written.
    package func removeAll() {
        if words.count > 0 { words.removeAll() }
        last.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
        payloads.removeAll(keepingCapacity: true)
        numbered = []
        nextDocument = nil
        values = 0
        length = 0
    }
}
