extension String {
    /// The first words of a statement, in capitals, after spaces, comments and empty statements.
    package func leadingWords(_ count: Int) -> [String] {
        var rest = utf8[...]
        var words: [String] = []
        while words.count < count {
            rest = rest.afterSpace
            let word = rest.prefix { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 == 0x5F }
            if word.isEmpty { break }
            words.append(String(Substring(word)).uppercased())
            rest = rest[word.endIndex...]
        }
        return words
    }

    /// The first word of a statement.
    package var leadingWord: String { leadingWords(1).first ?? "" }
}

extension Substring.UTF8View {
    /// The rest after what a database reads over before a word.
    fileprivate var afterSpace: Substring.UTF8View {
        var rest = self
        while let first = rest.first {
            if first <= 0x20 || first == UInt8(ascii: ";") || first == UInt8(ascii: "(") {
                rest = rest.dropFirst()
            } else if rest.starts(with: "--".utf8) {
                rest = rest.drop { $0 != 0x0A }
            } else if rest.starts(with: "/*".utf8) {
                rest = rest.afterComment
            } else {
                break
            }
        }
        return rest
    }

    /// The rest after a comment, in which there may be others.
    private var afterComment: Substring.UTF8View {
        var rest = dropFirst(2)
        var depth = 1
        while depth > 0, !rest.isEmpty {
            if rest.starts(with: "/*".utf8) {
                depth += 1
                rest = rest.dropFirst(2)
            } else if rest.starts(with: "*/".utf8) {
                depth -= 1
                rest = rest.dropFirst(2)
            } else {
                rest = rest.dropFirst()
            }
        }
        return rest
    }
}
