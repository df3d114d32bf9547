/// The words of one field that a search asks for: where each of them stands, counted in words.
struct FoundWords {
    /// How many words the field has.
    private(set) var count = 0
    /// The places of each word of the search, ascending.
    private(set) var places: [[Int]]
    /// Where each word of the field is in the text; empty unless it is asked for.
    private(set) var ranges: [Range<Int>] = []

    /// Finds the words of a search in a text.
    init(
        _ vocabulary: SearchVocabulary,
        in text: UnsafeRawBufferPointer,
        keepingRanges: Bool = false
    ) {
        var places = [[Int]](repeating: [], count: vocabulary.count)
        var count = 0
        var ranges: [Range<Int>] = []
        SearchWords.visit(text) { word, range in
            vocabulary.visit(word) { places[$0].append(count) }
            if keepingRanges { ranges.append(range) }
            count += 1
        }
        self.places = places
        self.count = count
        self.ranges = ranges
    }

    /// Takes the places of each word of a search, ascending, from an index.
    init(places: [[Int]]) { self.places = places }

    /// Calls a function with the places of the words of each occurrence of a term, in the order of where it begins.
    ///
    /// Words that are near one another are there from a place on if that place has one of them, and so many places from
    /// it on as there are words and others allowed have all of them, of equal words as many as there are.
    func visit(_ words: [Int], _ order: SearchTerm.Order, _ body: ([Int]) -> Void) {
        guard let first = words.first else { return }
        if words.count == 1 {
            for place in places[first] { body([place]) }
            return
        }
        switch order {
        case .phrase:
            for place in places[first]
            where words.indices.allSatisfy({ has(words[$0], at: place + $0) }) {
                body(Array(place..<place + words.count))
            }
        case .near(let others): visitNear(words, others, body)
        }
    }

    private func has(_ word: Int, at place: Int) -> Bool {
        let places = places[word]
        var low = 0
        var high = places.count
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low < places.count && places[low] == place
    }

    private func visitNear(_ words: [Int], _ others: Int, _ body: ([Int]) -> Void) {
        var wanted: [Int: Int] = [:]
        for word in words { wanted[word, default: 0] += 1 }
        // A place may be that of a word and of the beginning of one, and counts for both.
        let starts = Set(wanted.keys.flatMap { places[$0] }).sorted()
        var next = [Int: Int](uniqueKeysWithValues: wanted.keys.map { ($0, 0) })
        for start in starts {
            let end = start + words.count + others
            var found: Set<Int> = []
            let isThere = wanted.allSatisfy { word, count in
                let places = places[word]
                var index = next[word] ?? 0
                while index < places.count, places[index] < start { index += 1 }
                next[word] = index
                var seen = 0
                while index < places.count, places[index] < end {
                    found.insert(places[index])
                    seen += 1
                    index += 1
                }
                return seen >= count
            }
            if isThere { body(found.sorted()) }
        }
    }
}
