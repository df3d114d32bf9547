import DBClientCore
import Foundation
import Testing

@Suite("Exact sums of decimals")
struct DecimalSumTests {
    private func add(_ text: String, to sum: inout DecimalSum) throws {
        try #require(OrderedDecimal.encode(text), "\(text)").withUnsafeBytes { sum.add($0) }
    }

    private func sum(_ texts: [String]) throws -> DecimalSum {
        var sum = DecimalSum()
        for text in texts { try add(text, to: &sum) }
        return sum
    }

    @Test("Numbers far apart lose nothing, in any order")
    func farApart() throws {
        let texts = ["1e127", "-3.5", "1e-128", "0.25", "-1e127", "3.25", "7e100", "-7e100"]
        for shift in texts.indices {
            let turned = Array(texts[shift...] + texts[..<shift])
            #expect(try sum(turned).form == OrderedDecimal.encode("1e-128"))
            #expect(try sum(turned.reversed()).form == OrderedDecimal.encode("1e-128"))
        }
    }

    @Test("A sum of more digits than a decimal has is no value, but a form and an average")
    func manyDigits() throws {
        let long = try sum(["1e30", "1e-30"])
        #expect(long.value == nil)
        #expect(long.divided(by: 2) == 5e29)
        let form = try #require(long.form)
        let below = try #require(OrderedDecimal.encode("1e30"))
        let above = try #require(OrderedDecimal.encode("1000000000000000000000000000001"))
        #expect(below.lexicographicallyPrecedes(form))
        #expect(form.lexicographicallyPrecedes(above))
        #expect(try sum(["9e127", "9e127"]).value != nil)
    }

    @Test("Sums are those of integers, whatever the scale")
    func integers() throws {
        var generator = SeededGenerator(seed: 26)
        for _ in 0..<300 {
            let scale = Int.random(in: -60...60, using: &generator)
            var total: Int128 = 0
            var sum = DecimalSum()
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                let bits = Int.random(in: 1...62, using: &generator)
                let value = Int.random(in: -(1 << bits)...(1 << bits), using: &generator)
                total += Int128(value)
                try add("\(value)e\(scale)", to: &sum)
            }
            #expect(sum.form == OrderedDecimal.encode("\(total)e\(scale)"))
            #expect(sum.divided(by: 1) == Double("\(total)e\(scale)"))
        }
    }

    @Test("Carries are taken on the way as well", arguments: ["999999999.999999999", "-0.5"])
    func carries(text: String) throws {
        let count = 70_000
        var sum = DecimalSum()
        let form = try #require(OrderedDecimal.encode(text))
        for _ in 0..<count { form.withUnsafeBytes { sum.add($0) } }
        let expected = try #require(Decimal(string: text)) * Decimal(count)
        #expect(sum.form == OrderedDecimal.encode(expected))
    }

    @Test("The sum of nothing is zero, and what is no decimal leaves none")
    func edges() throws {
        #expect(DecimalSum().form == [1])
        #expect(try sum(["0", "0.0", "-0"]).value == .data([1]))
        for bytes in [[], [3], [2, 0x80], [2, 0x80, 1, 102, 0]] as [[UInt8]] {
            var sum = DecimalSum()
            bytes.withUnsafeBytes { sum.add($0) }
            #expect(sum.form == nil && sum.value == nil && sum.divided(by: 1) == nil)
        }
        let texts = ["", "-", ".", "NaN", "Infinity", "1x", "1e", "--1", "1e99999", "1.2.3"]
        for text in texts + ["1e\(Int.max)"] {
            #expect(OrderedDecimal.encode(text) == nil, "\(text)")
        }
    }
}
