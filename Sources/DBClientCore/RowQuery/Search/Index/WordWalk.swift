/// The values that have one word, block by block.
final class WordWalk: TermWalk {
    private let cursor: any SearchCursor
    private let blocks: [UInt8]
    private let fieldCount: Int
    private var key: [UInt8]
    private var block: PostingBlock
    private var index = 0
    private var isAtEnd = false
    /// How many values have the word, once it is known.
    var known: Int?
    private var counts: [Int]

    init(_ word: some Collection<UInt8>, _ cursor: any SearchCursor, fieldCount: Int) {
        self.cursor = cursor
        self.fieldCount = fieldCount
        blocks = SearchIndexKey.blocks(of: word)
        key = blocks + [UInt8](repeating: 0, count: 8)
        block = PostingBlock(fieldCount: fieldCount)
        counts = [Int](repeating: 0, count: fieldCount)
    }

    private var isAtWord: Bool {
        cursor.key.count == key.count && cursor.key.starts(with: blocks)
    }

    override func advance(to document: UInt64) throws -> UInt64? {
        if isAtEnd { return nil }
        if let last = block.documents.last {
            if last >= document { return take(document) }
            guard try cursor.next(), isAtWord else { return end() }
            try read()
            if reaches(document) { return take(document) }
        }
        try find(document)
        return isAtEnd ? nil : take(document)
    }

    private func end() -> UInt64? {
        isAtEnd = true
        return nil
    }

    private func reaches(_ document: UInt64) -> Bool {
        block.documents.last.map { $0 >= document } ?? false
    }

    private func take(_ document: UInt64) -> UInt64 {
        index = block.position(atLeast: document, from: index)
        return block.documents[index]
    }

    private func read() throws {
        try block.read(cursor.value, from: SearchIndexKey.number(in: cursor.key))
        index = 0
    }

    /// Reads the first block that reaches a number.
    private func find(_ document: UInt64) throws {
        key.removeLast(8)
        SearchIndexKey.append(document, to: &key)
        guard try cursor.seek(key) else {
            isAtEnd = true
            return
        }
        if !cursor.key.elementsEqual(key) {
            // The block before has it, if any has.
            if try !cursor.previous() {
                _ = try cursor.seek(key)
            } else if !isAtWord {
                _ = try cursor.next()
            }
            if !isAtWord {
                isAtEnd = true
                return
            }
        }
        try read()
        if reaches(document) { return }
        guard try cursor.next(), isAtWord else {
            isAtEnd = true
            return
        }
        try read()
        // No later block has a lesser number.
        if !reaches(document) { throw DBClientError.searchIndexDamaged }
    }

    override var length: Int { block.length(index) }

    override func frequency(_ weights: [Double]) -> Double {
        for field in 0..<fieldCount { counts[field] = 0 }
        block.visit(index) { field, _ in counts[field] += 1 }
        var frequency = 0.0
        for field in 0..<fieldCount { frequency += weights[field] * Double(counts[field]) }
        return frequency
    }

    /// Calls a function with the field and the place of each time that the value has the word.
    func visit(_ body: (Int, Int) -> Void) { block.visit(index, body) }

    override func count() throws -> Int {
        if let known { return known }
        // The blocks are gone through before the first is read, since there is one cursor.
        var count = 0
        var isThere = try cursor.seek(blocks)
        while isThere, isAtWord {
            var input = VariableInput(cursor.value)
            count += try PostingBlockHead(&input, from: 0).count
            isThere = try cursor.next()
        }
        known = count
        // Where the walk had come to is found again.
        if block.count > 0, !isAtEnd {
            let place = block.documents[index]
            try find(place)
            _ = take(place)
        }
        return count
    }
}
