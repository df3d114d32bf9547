import DBClientCore
import Foundation
import Testing

@Suite("The natural order of texts")
struct NaturalOrderTests {
    private func compare(_ left: String, _ right: String) -> Int {
        Array(left.utf8).withUnsafeBytes { left in
            Array(right.utf8).withUnsafeBytes { NaturalOrder.compare(left, $0).signum() }
        }
    }

    private func key(_ text: String) -> [UInt8] {
        var key: [UInt8] = []
        Array(text.utf8).withUnsafeBytes { NaturalOrder.appendKey(of: $0, to: &key) }
        return key
    }

    @Test("Texts in ascending order")
    func ascending() {
        let long = String(repeating: "7", count: 300)
        let texts = [
            "", " ", "-1", "0", "1", "2", "10", "11", long, long + "0", ":",
            "a", "A1", "a2", "a10", "a10b", "b", "é1", "È2", "f",
        ]
        for (left, first) in texts.enumerated() {
            for (right, second) in texts.enumerated() {
                #expect(
                    compare(first, second) == (left - right).signum(),
                    "\(first) and \(second)"
                )
            }
        }
    }

    @Test("Texts that are equal")
    func equal() {
        for (left, right) in [
            ("abc", "ABC"), ("001", "1"), ("a00b", "A0b"), ("é", "E"), ("e\u{301}x", "\u{C9}X"),
            ("\u{FF11}2", "12"),
        ] {
            #expect(compare(left, right) == 0, "\(left) and \(right)")
        }
    }

    @Test("The bytes of keys have the order of the texts, and no byte is 0")
    func keys() {
        var generator = SeededGenerator(seed: 11)
        let pieces = [
            "a", "B", "0", "00", "1", "9", "10", "é", "É", " ", "-", "~", "x254", "ß", "日",
        ]
        let texts = (0..<150).map { _ in
            (0..<Int.random(in: 0...6, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }
                .joined()
        }
        for left in texts {
            #expect(!key(left).contains(0))
            for right in texts {
                let (leftKey, rightKey) = (key(left), key(right))
                let expected =
                    leftKey == rightKey ? 0 : leftKey.lexicographicallyPrecedes(rightKey) ? -1 : 1
                #expect(compare(left, right) == expected, "\(left) and \(right)")
            }
        }
    }
}
