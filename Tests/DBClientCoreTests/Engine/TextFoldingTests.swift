import DBClientCore
import Foundation
import Testing

@Suite("The folding of text")
struct TextFoldingTests {
    @Test(
        "Texts and what they fold to",
        arguments: [
            ("", ""), ("Café", "cafe"), ("CAFE\u{301}", "cafe"), ("Ｃａｆｅ", "cafe"),
            ("straße", "strasse"), ("\u{1E9E}", "ss"), ("ﬁn", "fin"), ("İI", "ii"), ("ı", "ı"),
            ("ΣΑΣ", "σασ"), ("ς", "σ"), ("\u{212A}", "k"), ("ſ", "s"), ("Ø", "ø"), ("ł", "ł"),
            ("Æ", "æ"), ("Ёй", "еи"), ("が", "が"), ("②½²", "②½²"), ("\u{301}", "\u{301}"),
            ("e\u{327}\u{301}", "e"), ("＊？", "*?"), ("A1 %_", "a1 %_"), ("👩‍👩‍👧", "👩‍👩‍👧"),
        ]
    )
    func folded(text: String, expected: String) {
        #expect(Array(TextFolding.folded(text).utf8) == Array(expected.utf8))
    }

    @Test("Every scalar folds to some text, which folds to itself and has no capital of A to Z")
    func everyScalar() {
        for value in UInt32(1)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let once = Array(TextFolding.folded(String(scalar)).utf8)
            let twice = Array(TextFolding.folded(String(decoding: once, as: UTF8.self)).utf8)
            if once.isEmpty || once != twice || once.contains(where: { (65...90).contains($0) }) {
                Testing.Issue.record(
                    "U+\(String(value, radix: 16)) folds to \(once), then to \(twice)"
                )
            }
        }
    }

    @Test("Texts that fold alike are equal in natural order, numbers apart")
    func naturalOrder() {
        for (left, right) in [("Café", "CAFE\u{301}"), ("straße", "STRASSE"), ("ｶ", "カ")] {
            let order = Array(left.utf8).withUnsafeBytes { left in
                Array(right.utf8).withUnsafeBytes { NaturalOrder.compare(left, $0) }
            }
            #expect(order == 0)
            #expect(TextFolding.folded(left) == TextFolding.folded(right))
        }
        #expect(TextFolding.folded("01") != TextFolding.folded("1"))
    }
}
