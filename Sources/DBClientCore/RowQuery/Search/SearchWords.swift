/// The words of a text as searches compare them: by Unicode's text segmentation, folded.
enum SearchWords {
    /// Calls a function with the bytes of each word, folded, and the word's range in the text.
    ///
    /// A typographic apostrophe counts as a plain one.
    static func visit(
        _ text: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer, Range<Int>) -> Void
    ) {
        var bytes: [UInt8] = []
        TextSegments.visit(text) { (range, isWord) in
            guard isWord else { return }
            let word = UnsafeRawBufferPointer(rebasing: text[range])
            bytes.removeAll(keepingCapacity: true)
            TextFolding.withFolded(word) { folded in
                var position = 0
                while position < folded.count {
                    let isApostrophe =
                        folded[position] == 0xE2 && position + 2 < folded.count
                        && folded[position + 1] == 0x80 && folded[position + 2] == 0x99
                    bytes.append(
                        isApostrophe ? UInt8(ascii: "'") : asciiFolded(folded[position])
                    )
                    position += isApostrophe ? 3 : 1
                }
            }
            bytes.withUnsafeBytes { body($0, range) }
        }
    }

    /// Returns the words of a text, folded.
    static func words(of text: String) -> [String] {
        var text = text
        var words: [String] = []
        text.withUTF8 { bytes in
            visit(UnsafeRawBufferPointer(bytes)) { word, _ in
                words.append(String(decoding: word, as: UTF8.self))
            }
        }
        return words
    }
}
