import Testing

@testable import DBClientCore

@Suite("Words are those of Unicode's text segmentation")
struct WordBreakTests {
    private func boundaries(_ text: String) -> [Int] {
        var text = text
        var found = [0]
        text.withUTF8 { bytes in
            TextSegments.visit(UnsafeRawBufferPointer(bytes)) { (range, _) in
                found.append(range.upperBound)
            }
        }
        return found
    }

    private func words(_ text: String) -> [String] {
        var text = text
        var words: [String] = []
        text.withUTF8 { bytes in
            TextSegments.visit(UnsafeRawBufferPointer(bytes)) { (range, isWord) in
                if isWord { words.append(String(decoding: bytes[range], as: UTF8.self)) }
            }
        }
        return words
    }

    @Test("Samples of Unicode's own test have their boundaries", arguments: wordBreakSamples)
    func samples(_ sample: String) {
        var text = String.UnicodeScalarView()
        var expected: [Int] = []
        for part in sample.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
            if part == "÷" {
                expected.append(String(text).utf8.count)
            } else if let scalar = UInt32(part, radix: 16).flatMap(Unicode.Scalar.init) {
                text.append(scalar)
            }
        }
        #expect(expected.count > 1)
        #expect(boundaries(String(text)) == expected)
    }

    @Test("Segments with a letter, a number or an emoji are words")
    func isWord() {
        #expect(
            words("Don\u{2019}t e-mail 3.14, 漢字かな カタカナ! ... __ \u{1F600} \u{AB} foo_bar")
                == [
                    "Don\u{2019}t", "e", "mail", "3.14", "漢", "字", "か", "な", "カタカナ", "\u{1F600}",
                    "foo_bar",
                ]
        )
        #expect(words("") == [])
        #expect(words("\u{0301}\u{200D} \u{0}") == [])
    }

    @Test("Every scalar alone is one segment, and bytes that are no text are passed over")
    func scalars() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(scalar)
            if boundaries(text) != [0, text.utf8.count] { Issue.record("U+\(value) is divided") }
        }
        let bytes: [UInt8] = [0x80, 0xFF, 0x61, 0xE2, 0x80, 0x62, 0xF0, 0x9F, 0xC3]
        var end = 0
        bytes.withUnsafeBytes { bytes in
            TextSegments.visit(bytes) { (range, _) in
                #expect(range.lowerBound == end)
                end = range.upperBound
            }
        }
        #expect(end == bytes.count)
    }
}
