/// The values that have any of the words that begin so, with all the places of these words.
struct OccurrenceList {
    private(set) var documents: [UInt64] = []
    private(set) var lengths: [Int] = []
    /// Where the places of each value end.
    private var ends: [Int] = []
    /// The fields, in the upper half, and the places.
    private var places: [UInt64] = []

    /// Reads the lists of all words that begin so.
    init(
        wordsFrom prefix: some Collection<UInt8>,
        _ cursor: any SearchCursor,
        fieldCount: Int
    ) throws {
        let start = [SearchIndexKey.word] + prefix
        var block = PostingBlock(fieldCount: fieldCount)
        var found = OccurrenceList()
        var isThere = try cursor.seek(start)
        while isThere, cursor.key.starts(with: start) {
            try block.read(cursor.value, from: SearchIndexKey.block(cursor.key).start)
            for index in 0..<block.count {
                found.documents.append(block.documents[index])
                found.lengths.append(block.length(index))
                block.visit(index) { found.places.append(UInt64($0) << 32 | UInt64($1)) }
                found.ends.append(found.places.count)
            }
            isThere = try cursor.next()
        }
        self.init(merging: found)
    }

    private init() {}

    /// Puts values that occur several times together.
    private init(merging found: OccurrenceList) {
        var index = 0
        let order = Self.order(of: found.documents)
        while index < order.count {
            let document = found.documents[order[index]]
            let first = places.count
            documents.append(document)
            lengths.append(found.lengths[order[index]])
            var isOne = true
            while index < order.count, found.documents[order[index]] == document {
                isOne = places.count == first
                places += found.places[found.range(order[index])]
                index += 1
            }
            if !isOne { places[first...].sort() }
            ends.append(places.count)
        }
    }

    /// Returns the positions in the order of the numbers: a pass for each eleven bits in which any two differ.
    private static func order(of documents: [UInt64]) -> [Int] {
        guard let least = documents.min(), let greatest = documents.max() else { return [] }
        var order = Array(documents.indices)
        var spare = order
        var shift: UInt64 = 0
        while shift < 64, (greatest - least) >> shift > 0 {
            var starts = [Int](repeating: 0, count: 2_049)
            for document in documents { starts[Int((document - least) >> shift & 2_047) + 1] += 1 }
            for bucket in 1..<2_049 { starts[bucket] += starts[bucket - 1] }
            for position in order {
                let bucket = Int((documents[position] - least) >> shift & 2_047)
                spare[starts[bucket]] = position
                starts[bucket] += 1
            }
            swap(&order, &spare)
            shift += 11
        }
        return order
    }

    private func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }

    /// Calls a function with the field and the place of each time that a value has one of the words, ascending.
    func visit(_ index: Int, _ body: (Int, Int) -> Void) {
        for place in places[range(index)] { body(Int(place >> 32), Int(place & 0xFFFF_FFFF)) }
    }
}

/// A walk over the values that have any of the words that begin so.
final class OccurrenceWalk: DocumentWalk {
    private let list: OccurrenceList
    private var index = 0

    init(_ list: OccurrenceList) { self.list = list }

    override func advance(to document: UInt64) throws -> UInt64? {
        while index < list.documents.count, list.documents[index] < document { index += 1 }
        return index < list.documents.count ? list.documents[index] : nil
    }

    var length: Int { list.lengths[index] }

    func visit(_ body: (Int, Int) -> Void) { list.visit(index, body) }

    override func estimate() throws -> Int { list.documents.count }
}
