/// What the entries of an index come to, in any order, for a comparison of an index with the rows.
package struct SearchIndexSum: Equatable {
    private var postings = 0
    private var sum = 0
    private var figures = SearchIndexFigures()

    /// Creates the sum of nothing.
    package init() {}

    /// Adds a row, by the bytes of its primary key, given the texts of its fields.
    package mutating func add(
        _ key: UnsafeRawBufferPointer,
        _ texts: some Collection<Slot>,
        by changes: SearchChanges
    ) {
        let length = changes.visit(texts) { word, payload in
            add(word, key, payload)
        }
        if length > 0 { figures.values += 1 }
        figures.words += length
    }

    private mutating func add(
        _ word: UnsafeRawBufferPointer,
        _ key: UnsafeRawBufferPointer,
        _ payload: some Sequence<UInt8>
    ) {
        var hasher = Hasher()
        hasher.combine(word.count)
        hasher.combine(bytes: word)
        hasher.combine(bytes: key)
        for byte in payload { hasher.combine(byte) }
        postings += 1
        sum &+= hasher.finalize()
    }
}

/// Reads the entries of an index in their order, and what they come to.
package struct SearchIndexEntries {
    /// What they come to.
    package private(set) var sum = SearchIndexSum()
    private var block: PostingBlock
    /// The primary keys of values that have numbers of their own; nil where a number is the key.
    private var keys: [UInt64: [UInt8]]?
    private var numbered = 0
    private var lastWord: [UInt8]?
    private var last: UInt64 = 0
    private var figures = SearchIndexFigures()

    /// Creates it for an index of so many fields.
    package init(fieldCount: Int, hasNumbers: Bool) {
        block = PostingBlock(fieldCount: fieldCount)
        if hasNumbers { keys = [:] }
    }

    /// Takes the next entry.
    ///
    /// - Throws: `.corrupt` for what no program wrote.
    package mutating func take(
        _ key: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer
    ) throws {
        switch key.first {
        case SearchIndexKey.document where keys != nil && key.count == 9:
            keys?[SearchIndexKey.number(in: key)] = Array(value)
        case SearchIndexKey.primaryKey where keys != nil && value.count == 8:
            let known = keys?[SearchIndexKey.number(in: value)]
            guard known.map(key.dropFirst().elementsEqual) ?? false else {
                throw DBClientError.searchIndexDamaged
            }
            numbered += 1
        case SearchIndexKey.word: try takeBlock(key, value)
        default:
            guard key.elementsEqual(SearchIndexKey.figures) else {
                throw DBClientError.searchIndexDamaged
            }
            figures = try SearchIndexFigures(value)
            sum.take(figures)
        }
    }

    private mutating func takeBlock(
        _ key: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer
    ) throws {
        let (word, start) = try SearchIndexKey.block(key)
        try block.read(value, from: start)
        let isSameWord = lastWord.map(word.elementsEqual) ?? false
        if isSameWord, let first = block.documents.first, first <= last {
            throw DBClientError.searchIndexDamaged
        }
        if !isSameWord { lastWord = Array(word) }
        last = block.documents.last ?? last
        for index in 0..<block.count {
            try withKey(block.documents[index]) { sum.take(word, $0, block.payload(index)) }
        }
    }

    private func withKey(
        _ document: UInt64,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) throws {
        guard let keys else { return withUnsafeBytes(of: document, body) }
        guard let key = keys[document] else { throw DBClientError.searchIndexDamaged }
        key.withUnsafeBytes(body)
    }

    /// Checks what is known once all entries were taken.
    ///
    /// - Parameter count: How many rows there are.
    /// - Throws: `.corrupt` where they do not fit.
    package func check(rowCount count: Int) throws {
        guard let keys else { return }
        guard keys.count == count, numbered == count,
            keys.keys.allSatisfy({ $0 < figures.nextDocument })
        else { throw DBClientError.searchIndexDamaged }
    }
}

extension SearchIndexSum {
    fileprivate mutating func take(_ figures: SearchIndexFigures) {
        self.figures.values = figures.values
        self.figures.words = figures.words
    }

    fileprivate mutating func take(
        _ word: UnsafeRawBufferPointer,
        _ key: UnsafeRawBufferPointer,
        _ payload: some Sequence<UInt8>
    ) {
        add(word, key, payload)
    }
}
