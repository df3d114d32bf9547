/// Writes changes of the list of one word after another into their blocks.
struct PostingWriter {
    private let cursor: any SearchCursor
    private var block: PostingBlock
    private let fieldCount: Int
    /// The block that is put together: its payloads with the differences of their numbers.
    private var body: [UInt8] = []
    private var output: [UInt8] = []

    init(_ cursor: any SearchCursor, fieldCount: Int) {
        self.cursor = cursor
        self.fieldCount = fieldCount
        block = PostingBlock(fieldCount: fieldCount)
    }

    /// Writes changes, ascending by the values, no two of one value.
    ///
    /// - Throws: `.corrupt` where a value that is to be taken out is not there.
    mutating func write(
        _ changes: [SearchChanges.Change],
        _ payloads: [UInt8],
        to blocks: [UInt8]
    ) throws {
        var rest = changes[...]
        while let first = rest.first {
            let place = try place(of: first.document, in: blocks)
            let end = place.limit.map { limit in
                rest.firstIndex { $0.document >= limit } ?? rest.endIndex
            }
            let part = rest[..<(end ?? rest.endIndex)]
            rest = rest[part.endIndex...]
            let start = place.start ?? (first.document & 1 << 63)
            if place.limit == nil, try append(part, payloads, to: blocks, from: start, place) {
                continue
            }
            try merge(part, payloads, into: blocks, from: start, place)
        }
    }

    /// Where a value's number belongs.
    private struct Place {
        /// The least number of the block that is there; nil where none is.
        var start: UInt64?
        /// The least number of the block that follows.
        var limit: UInt64?
        var value: [UInt8] = []
    }

    private func place(of document: UInt64, in blocks: [UInt8]) throws -> Place {
        var key = blocks
        SearchIndexKey.append(.max, to: &key)
        // New values have the greatest numbers as a rule, so the last block is tried first.
        guard try cursor.seek(key) else { throw DBClientError.searchIndexDamaged }
        if cursor.key.elementsEqual(key) {
            if document == .max { return current(nil) }
        } else if try !cursor.previous() || !isAt(blocks) {
            return Place()
        }
        var limit: UInt64?
        while SearchIndexKey.number(in: cursor.key) > document {
            limit = SearchIndexKey.number(in: cursor.key)
            key.removeLast(8)
            SearchIndexKey.append(document, to: &key)
            guard try cursor.seek(key) else { throw DBClientError.searchIndexDamaged }
            if cursor.key.elementsEqual(key) {
                let found = current(nil)
                let hasNext = try cursor.next() && isAt(blocks)
                return Place(
                    start: found.start,
                    limit: hasNext ? SearchIndexKey.number(in: cursor.key) : nil,
                    value: found.value
                )
            }
            limit = SearchIndexKey.number(in: cursor.key)
            if try !cursor.previous() || !isAt(blocks) { return Place(limit: limit) }
        }
        return current(limit)
    }

    private func current(_ limit: UInt64?) -> Place {
        Place(
            start: SearchIndexKey.number(in: cursor.key),
            limit: limit,
            value: Array(cursor.value)
        )
    }

    private func isAt(_ blocks: [UInt8]) -> Bool {
        cursor.key.count == blocks.count + 8 && cursor.key.starts(with: blocks)
    }

    // MARK: Appending

    /// Adds values behind the last one of a list, if they all are new and come behind it.
    private mutating func append(
        _ changes: ArraySlice<SearchChanges.Change>,
        _ payloads: [UInt8],
        to blocks: [UInt8],
        from start: UInt64,
        _ place: Place
    ) throws -> Bool {
        if changes.contains(where: \.isRemoval) { return false }
        var start = start
        var count = 0
        var last = start
        body.removeAll(keepingCapacity: true)
        if !place.value.isEmpty {
            let isBehind = try place.value.withUnsafeBytes { value in
                var input = VariableInput(value)
                let head = try PostingBlockHead(&input, from: start)
                count = head.count
                last = head.last
                if count == 1 {
                    let (only, overflows) = start.addingReportingOverflow(
                        try VariableInput(value, at: input.position).first
                    )
                    if overflows { throw VariableInput.damaged }
                    last = only
                }
                body.append(contentsOf: value[input.position...])
                return changes[changes.startIndex].document > last
            }
            if !isBehind { return false }
        }
        for change in changes {
            if count >= PostingBlock.maximumCount
                || count > 0 && body.count + Int(change.size) > PostingBlock.maximumSize
            {
                try put(count, last, blocks, start)
                (start, last, count) = (change.document, change.document, 0)
            }
            add(change.document, after: count == 0 ? start : last)
            body.append(contentsOf: payloads[change.range])
            last = change.document
            count += 1
        }
        try put(count, last, blocks, start)
        return true
    }

    private mutating func add(_ document: UInt64, after last: UInt64) {
        body.append(variable: document - last)
    }

    /// Writes the block that is put together.
    private mutating func put(
        _ count: Int,
        _ last: UInt64,
        _ blocks: [UInt8],
        _ start: UInt64
    ) throws {
        var key = blocks
        SearchIndexKey.append(start, to: &key)
        output.removeAll(keepingCapacity: true)
        PostingBlockHead.append(count, last: last, from: start, to: &output)
        output += body
        body.removeAll(keepingCapacity: true)
        try cursor.put(key, output)
    }

    // MARK: Merging

    private mutating func merge(
        _ changes: ArraySlice<SearchChanges.Change>,
        _ payloads: [UInt8],
        into blocks: [UInt8],
        from start: UInt64,
        _ place: Place
    ) throws {
        var former = PostingBlock(fieldCount: fieldCount)
        if !place.value.isEmpty {
            try place.value.withUnsafeBytes { try former.read($0, from: start) }
        }
        var merged: [(document: UInt64, payload: ArraySlice<UInt8>)] = []
        var index = 0
        for change in changes {
            while index < former.count, former.documents[index] < change.document {
                merged.append((former.documents[index], former.payload(index)))
                index += 1
            }
            let isThere = index < former.count && former.documents[index] == change.document
            if isThere { index += 1 }
            if !change.isRemoval {
                merged.append((change.document, payloads[change.range]))
            } else if !isThere, !change.mayBeAbsent {
                throw DBClientError.searchIndexDamaged
            }
        }
        while index < former.count {
            merged.append((former.documents[index], former.payload(index)))
            index += 1
        }
        if merged.isEmpty {
            var key = blocks
            SearchIndexKey.append(start, to: &key)
            return try cursor.remove(key)
        }
        try write(merged, to: blocks, from: start)
    }

    /// Writes values as one block, or as several that are about as long as one another.
    private mutating func write(
        _ postings: [(document: UInt64, payload: ArraySlice<UInt8>)],
        to blocks: [UInt8],
        from start: UInt64
    ) throws {
        let size = postings.reduce(0) { $0 + $1.payload.count + 2 }
        let parts = max(
            (postings.count + PostingBlock.maximumCount - 1) / PostingBlock.maximumCount,
            (size + PostingBlock.maximumSize - 1) / PostingBlock.maximumSize
        )
        let countOfPart = max((postings.count + parts - 1) / parts, 1)
        body.removeAll(keepingCapacity: true)
        for first in stride(from: 0, to: postings.count, by: countOfPart) {
            let part = postings[first..<min(first + countOfPart, postings.count)]
            let start = first == 0 ? start : postings[first].document
            var last = start
            for posting in part {
                add(posting.document, after: last)
                body.append(contentsOf: posting.payload)
                last = posting.document
            }
            try put(part.count, last, blocks, start)
        }
    }
}

extension SearchChanges.Change {
    /// Where the payload is.
    var range: Range<Int> { Int(payload)..<Int(payload) + Int(size) }
}

extension VariableInput {
    /// The number at its position.
    fileprivate var first: UInt64 {
        get throws(DBClientError) {
            var copy = self
            return try copy.next()
        }
    }
}
