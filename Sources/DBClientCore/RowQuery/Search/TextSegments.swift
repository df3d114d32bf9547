/// The segments of a text by the word boundaries of Unicode's text segmentation, UAX #29, from the first on.
///
/// The text is UTF-8; what is not is read as a scalar of no property, byte by byte. Used while the bytes live.
struct TextSegments {
    private let text: UnsafeRawBufferPointer
    private let table: UnsafeBufferPointer<UInt32>
    private var position = 0

    init(_ text: UnsafeRawBufferPointer, _ table: UnsafeBufferPointer<UInt32>) {
        self.text = text
        self.table = table
    }

    /// Calls a function with the range of each segment, and whether it is a word: whether it has a letter, a number or an
    /// emoji.
    static func visit<Failure: Error>(
        _ text: UnsafeRawBufferPointer,
        _ body: (Range<Int>, Bool) throws(Failure) -> Void
    ) throws(Failure) {
        let result = WordBreak.table.withUnsafeBufferPointer { table -> Result<Void, Failure> in
            do throws(Failure) {
                var segments = TextSegments(text, table)
                while let (range, isWord) = segments.next() { try body(range, isWord) }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Returns the next segment; nil at the end.
    mutating func next() -> (range: Range<Int>, isWord: Bool)? {
        guard position < text.count else { return nil }
        let start = position
        var end = start
        var found = read(&end)
        var isWord = found.isOfWord
        /// The scalar before, and those that the rules look at: the last that is not passed over, and the one before it.
        var last = found
        var base = found.property
        var beforeBase = WordBreak.Property.other
        var indicators = base == .regionalIndicator ? 1 : 0
        while end < text.count {
            var after = end
            found = read(&after)
            let property = found.property
            if isBoundary(last, beforeBase, base, indicators, found, after) { break }
            if found.isOfWord { isWord = true }
            if !found.isIgnored || base.isLineBreak {
                beforeBase = base
                base = property
                indicators = property == .regionalIndicator ? indicators + 1 : 0
            }
            last = found
            end = after
        }
        position = end
        return (start..<end, isWord)
    }

    /// Returns whether a segment ends before a scalar, of which the text goes on at a position.
    private func isBoundary(
        _ last: WordBreak,
        _ beforeBase: WordBreak.Property,
        _ base: WordBreak.Property,
        _ indicators: Int,
        _ found: WordBreak,
        _ after: Int
    ) -> Bool {
        let property = found.property
        if last.property.isLineBreak || property.isLineBreak {
            return !(last.property == .carriageReturn && property == .lineFeed)
        }
        if last.property == .joiner, found.isPictograph { return false }
        if last.property == .space, property == .space { return false }
        if found.isIgnored { return false }
        switch (base, property) {
        case (.letter, .letter), (.letter, .hebrewLetter), (.hebrewLetter, .letter),
            (.hebrewLetter, .hebrewLetter), (.numeric, .numeric), (.letter, .numeric),
            (.hebrewLetter, .numeric), (.numeric, .letter), (.numeric, .hebrewLetter),
            (.katakana, .katakana):
            return false
        case (.extendsNumbersAndLetters, .extendsNumbersAndLetters): return false
        case (_, .extendsNumbersAndLetters): return !base.isExtensible
        case (.extendsNumbersAndLetters, _): return !property.isExtensible
        case (.regionalIndicator, .regionalIndicator): return indicators % 2 == 0
        case (.hebrewLetter, .singleQuote): return false
        case (.hebrewLetter, .doubleQuote): return following(after) != .hebrewLetter
        case (.doubleQuote, .hebrewLetter): return beforeBase != .hebrewLetter
        case (.numeric, _) where property.isMiddleOfNumber: return following(after) != .numeric
        case (_, .numeric) where base.isMiddleOfNumber: return beforeBase != .numeric
        case (_, _) where base.isLetter && property.isMiddleOfWord:
            return !following(after).isLetter
        case (_, _) where base.isMiddleOfWord && property.isLetter: return !beforeBase.isLetter
        default: return true
        }
    }

    /// Returns the property of the next scalar that is not passed over.
    private func following(_ position: Int) -> WordBreak.Property {
        var position = position
        while position < text.count {
            let found = read(&position)
            if !found.isIgnored { return found.property }
        }
        return .other
    }

    /// Reads the scalar at a position, which moves behind it.
    private func read(_ position: inout Int) -> WordBreak {
        let first = UInt32(text[position])
        position += 1
        if first < 0xC0 { return WordBreak(first < 0x80 ? first : 0xFFFF, in: table) }
        let count = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
        guard position + count <= text.count else { return WordBreak(0xFFFF, in: table) }
        var scalar = first & (0x3F >> UInt32(count))
        for _ in 0..<count {
            scalar = scalar << 6 | UInt32(text[position]) & 0x3F
            position += 1
        }
        return WordBreak(scalar, in: table)
    }
}
