@testable import DBClientCore

extension FuzzTarget {
    /// What a person types into a search field.
    static let searchQueries = FuzzTarget("search-queries") {
        [
            #"iron -man "the third"~3 ti* (title:iron OR steel) AND NOT café"#, "((", "a:b:c*",
            "\"",
        ].map { Array($0.utf8) }
    } decode: { input in
        let text = String(decoding: input, as: UTF8.self)
        for asYouType in [false, true] {
            let query = SearchQuery(text, asYouType: asYouType)
            let plan = try query.plan(searching: ["title", "body"], weights: [3, 1], of: "Note")
            var words = 0
            for term in plan.terms {
                words += term.words.count
                try require(!term.words.isEmpty, "A term must have words.")
            }
            try require(words <= SearchQuery.maximumWords, "There must be a limit on words.")
            _ = plan.tree.holds { $0.isMultiple(of: 2) }
        }
        // Last, since it throws for most texts.
        let strict = try SearchQuery(strict: text)
        try require(
            strict.terms == SearchQuery(text).terms,
            "A query without mistakes must mean the same, strict or not."
        )
    }

    /// The words of a text, by Unicode's text segmentation.
    static let words = FuzzTarget("words") {
        [
            "can't stop 3.14 e\u{301}tude ｆｕｌｌ １２", "日本語 ไทย 👩‍👩‍👧 🇩🇪🇫🇷 שלום", "a\u{200D}b\r\n\u{AD}c",
        ].map { Array($0.utf8) }
    } decode: { input in
        let bytes = UnsafeRawBufferPointer(input)
        var end = 0
        try TextSegments.visit(bytes) { (range: Range<Int>, _: Bool) throws(FuzzFinding) in
            guard range.lowerBound == end, !range.isEmpty else {
                throw FuzzFinding("Segments must follow one another; got \(range) after \(end).")
            }
            end = range.upperBound
        }
        try require(end == bytes.count, "Segments must be the whole text.")
        SearchWords.visit(bytes) { _, range in precondition(range.upperBound <= bytes.count) }
        let folded = TextFolding.folded(String(decoding: bytes, as: UTF8.self))
        _ = TextFolding.folded(folded)
    }

    /// Blocks of the index of words: a byte for the number of fields, the least number, and the block.
    static let postings = FuzzTarget("postings") {
        [1, 3].map { fields in
            var block: [UInt8] = []
            PostingBlockHead.append(2, last: 40, from: 7, to: &block)
            for (difference, places) in [(0, [0, 5]), (33, [2, 9])] as [(UInt64, [UInt64])] {
                block.append(variable: difference)
                let places = fields > 1 ? [places[0], places[1] | 1 << 32] : places
                PostingBlock.appendPayload(length: 300, places, fieldCount: fields, to: &block)
            }
            return [UInt8(fields), 0, 0, 0, 0, 0, 0, 0, 7] + block
        }
    } decode: { input in
        guard input.count >= 9 else { return }
        let fields = Int(input[0] % 4) + (input[0] % 4 == 0 ? 1 : 0)
        let start = SearchIndexKey.number(in: UnsafeRawBufferPointer(rebasing: input[1..<9]))
        var block = PostingBlock(fieldCount: fields)
        try block.read(UnsafeRawBufferPointer(rebasing: input[9...]), from: start)
        try require(block.count > 0, "A block must have a value.")
        for index in 0..<block.count {
            let length = block.length(index)
            var last: (field: Int, place: Int)?
            var failure = ""
            block.visit(index) { field, place in
                if field < 0 || field >= fields || place < 0 || place >= length {
                    failure = "A place must be in the value; got \(place) of \(length) in \(field)."
                }
                if let last, (field, place) <= last { failure = "Places must ascend." }
                last = (field, place)
            }
            try require(failure.isEmpty, failure)
            try require(last != nil, "A value must have the word.")
            _ = block.payload(index)
        }
        try require(
            zip(block.documents, block.documents.dropFirst()).allSatisfy(<),
            "Numbers must ascend."
        )
        for document in [start, block.documents[0], .max] {
            _ = block.position(atLeast: document, from: 0)
        }
    }

    /// The keys of the index of words, and its figures.
    static let searchKeys = FuzzTarget("search-keys") {
        [
            SearchIndexKey.document(5),
            SearchIndexKey.blocks(of: "iron".utf8) + [0, 0, 0, 0, 0, 0, 0, 9],
            SearchIndexFigures().bytes,
        ]
    } decode: { input in
        let bytes = UnsafeRawBufferPointer(input)
        _ = SearchIndexKey.number(in: bytes)
        if let figures = try? SearchIndexFigures(bytes) {
            try require(
                figures.bytes.elementsEqual(bytes),
                "Figures must be what they were read from."
            )
        }
        let (word, start) = try SearchIndexKey.block(bytes)
        var key = [SearchIndexKey.word] + word + [0]
        SearchIndexKey.append(start, to: &key)
        try require(key.elementsEqual(bytes), "A key must be what it was read from.")
    }
}
