import DBClientCore
import Testing

@Suite("Text matching")
struct TextMatchingTests {
    private func matches(_ text: String, _ pattern: TextPattern) throws -> Bool {
        let row = try makeBuffer(
            Sample.entity,
            [.integer(1), .null, .null, .text(text), .null, .null]
        )
        let predicate = RowPredicate(.matches(column: Sample.text, pattern), of: Sample.entity)
        return predicate.matches(BufferRow(buffer: row, index: 0))
    }

    @Test(
        "A star stands for any text, a question mark for one scalar, the rest for itself",
        arguments: [
            ("iron man", "iron*", true), ("iron man", "*man", true), ("iron man", "i*n*n", true),
            ("iron man", "iron", false), ("iron man", "iron?man", true), ("iron man", "*", true),
            ("", "*", true), ("", "", true), ("", "?", false), ("x", "", false),
            ("x", "**?**", true),
            ("é", "?", true), ("e\u{301}", "?", false), ("e\u{301}", "??", true), ("👩", "?", true),
            ("aaab", "*a?b", true), ("abcabd", "*ab?", true), ("abcabd", "ab?", false),
            ("100%", "100%", true), ("100x", "100%", false), ("a_b", "a_b", true),
            ("axb", "a_b", false), ("a[b]", "a[b]", true), ("a\\b", "a\\b", true),
        ]
    )
    func wildcards(text: String, pattern: String, expected: Bool) throws {
        #expect(try matches(text, TextPattern(.wildcard, pattern)) == expected)
    }

    @Test("Ignoring case folds A to Z and nothing else")
    func folding() throws {
        for kind in [TextPattern.Kind.prefix, .suffix, .contains, .wildcard] {
            #expect(try matches("IRON", TextPattern(kind, "iron", ignoresCase: true)))
            #expect(try matches("iron", TextPattern(kind, "IRON", ignoresCase: true)))
            #expect(try !matches("IRON", TextPattern(kind, "iron")))
            #expect(try !matches("É", TextPattern(kind, "é", ignoresCase: true)))
            // Neighbours of the letters that differ from others by the same bit.
            #expect(try !matches("@[`{", TextPattern(kind, "`{@[", ignoresCase: true)))
            #expect(try !matches("K", TextPattern(kind, "\u{212A}", ignoresCase: true)))
        }
    }

    @Test("Text is found by its bytes, and a match may not begin inside a scalar's bytes by chance")
    func bytes() throws {
        #expect(try !matches("é", TextPattern(.contains, "e\u{301}")))
        #expect(try !matches("e\u{301}", TextPattern(.contains, "é")))
        #expect(try matches("e\u{301}", TextPattern(.prefix, "e")))
        #expect(try matches("x", TextPattern(.contains, "")))
        #expect(try matches("", TextPattern(.contains, "")))
        #expect(try !matches("", TextPattern(.contains, "x")))
    }

    @Test("A pattern of many stars takes time by the length, not by its power")
    func manyStars() throws {
        let text = String(repeating: "a", count: 5_000)
        let pattern = String(repeating: "*a", count: 50) + "b"
        let start = ContinuousClock.now
        #expect(try !matches(text, TextPattern(.wildcard, pattern)))
        #expect(ContinuousClock.now - start < .seconds(2))
    }

    @Test("Folded order compares letters without case and everything else by its bytes")
    func foldedOrder() {
        func order(_ left: String, _ right: String) -> Int {
            StorageValue.text(left).withSlot { left in
                StorageValue.text(right).withSlot {
                    TextMatching.compareFolded(left.bytes, $0.bytes)
                }
            }
        }
        #expect(order("IRON", "iron") == 0)
        #expect(order("a", "B") < 0)
        #expect(order("B", "a") > 0)
        #expect(order("a", "ab") < 0)
        #expect(order("_", "A") < 0)
        #expect(order("z", "é") < 0)
    }
}
