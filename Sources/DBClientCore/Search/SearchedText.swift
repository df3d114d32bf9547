public import Foundation

/// A text in which words of a search were found.
public struct SearchedText: Hashable, Sendable {
    /// The stored name of the field that has the text.
    public let field: String
    /// The text, or a part of it.
    public let text: String
    /// Where the words are that were searched for, in their order; words of a phrase are ranges of their own.
    public let ranges: [Range<String.Index>]

    init(field: String, text: String, ranges: [Range<String.Index>]) {
        self.field = field
        self.text = text
        self.ranges = ranges
    }

    /// Returns the text with attributes on the words that were searched for, such as a colour.
    public func attributed(_ attributes: AttributeContainer) -> AttributedString {
        var result = AttributedString()
        var end = text.startIndex
        for range in ranges {
            result += AttributedString(String(text[end..<range.lowerBound]))
            result += AttributedString(String(text[range]), attributes: attributes)
            end = range.upperBound
        }
        return result + AttributedString(String(text[end...]))
    }

    /// Returns the part of the text with the most words that were searched for, the first of such parts.
    ///
    /// - Parameters:
    ///   - count: How many words it has, at least 1, if the text has so many.
    ///   - ellipsis: What stands for text that is left out.
    /// - Returns: The part, with the ranges of its words.
    public func snippet(words count: Int = 16, ellipsis: String = "\u{2026}") -> SearchedText {
        let count = max(count, 1)
        let words = wordRanges
        guard words.count > count else { return self }
        let start = bestStart(of: count, words)
        // What stands before the first word of a text, and behind the last one, belongs to it.
        let lower = start == 0 ? text.startIndex : words[start].lowerBound
        let isAtEnd = start + count == words.count
        let upper = isAtEnd ? text.endIndex : words[start + count - 1].upperBound
        let before = start == 0 ? "" : ellipsis
        let part = before + text[lower..<upper] + (isAtEnd ? "" : ellipsis)
        let distance = before.utf8.count - text.utf8.distance(from: text.startIndex, to: lower)
        return SearchedText(
            field: field,
            text: part,
            ranges: ranges.filter { $0.lowerBound >= lower && $0.upperBound <= upper }
                .map { part.range(ofBytes: $0.bytes(in: text), movedBy: distance) }
        )
    }

    /// Where the words of the text are.
    private var wordRanges: [Range<String.Index>] {
        var text = text
        var words: [Range<Int>] = []
        text.withUTF8 { bytes in
            TextSegments.visit(UnsafeRawBufferPointer(bytes)) { (range, isWord) in
                if isWord { words.append(range) }
            }
        }
        return words.map { text.range(ofBytes: $0) }
    }

    /// Returns the first word from which on so many have the most that were searched for.
    private func bestStart(of count: Int, _ words: [Range<String.Index>]) -> Int {
        let wanted = Set(ranges.map(\.lowerBound))
        let isFound = words.map { wanted.contains($0.lowerBound) }
        var found = isFound[..<count].count { $0 }
        var best = (start: 0, found: found)
        for start in words.indices.dropFirst().prefix(words.count - count) {
            if isFound[start - 1] { found -= 1 }
            if isFound[start + count - 1] { found += 1 }
            if found > best.found { best = (start, found) }
        }
        return best.start
    }
}

extension String {
    /// Returns the range of bytes of its UTF-8.
    func range(ofBytes bytes: Range<Int>, movedBy distance: Int = 0) -> Range<String.Index> {
        let start = utf8.index(startIndex, offsetBy: bytes.lowerBound + distance)
        return start..<utf8.index(start, offsetBy: bytes.count)
    }
}

extension Range<String.Index> {
    /// Returns which bytes of a text's UTF-8 they are.
    fileprivate func bytes(in text: String) -> Range<Int> {
        let start = text.utf8.distance(from: text.startIndex, to: lowerBound)
        return start..<start + text.utf8.distance(from: lowerBound, to: upperBound)
    }
}
