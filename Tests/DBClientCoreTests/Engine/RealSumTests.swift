import DBClientCore
import Testing

@Suite("Exact sums of doubles")
struct RealSumTests {
    private func sum(_ values: [Double]) -> Double {
        values.reduce(into: RealSum()) { $0.add($1) }.value
    }

    private static let large = Double.greatestFiniteMagnitude
    private static let tiny = Double.leastNonzeroMagnitude

    private static let samples: [([Double], Double)] = [
        ([1e16, 1, 1, 1, -1e16, 0.1, 0.2, 0.3, 0.7], 4.3),
        ([0x1p53, 1], 0x1p53),
        ([0x1p53, 1, tiny], 0x1p53 + 2),
        ([0x1p53, 3], 0x1p53 + 4),
        ([0x1p53, 3, -tiny], 0x1p53 + 2),
        ([0x1p53 - 1, 0.5], 0x1p53),
        ([-0x1p53, -1, -tiny], -0x1p53 - 2),
        ([large, 0x1p969, 1], large),
        ([large, 0x1p970], .infinity),
        ([large, 0x1p970, -tiny], large),
        ([large, large, tiny, -large, -large], tiny),
        ([tiny, tiny, 0x1p-1022], 0x1p-1022 + 2 * tiny),
        ([1, tiny, -1], tiny),
        ([1e300, 1e-300, -1e300, 1], 1),
        ([-large, -large, 0x1p1000], -.infinity),
        ([.infinity, -large, 1], .infinity),
        ([0.1, -0.1], 0), ([], 0),
    ]

    @Test("The sum is rounded once, in any order", arguments: samples)
    func known(_ values: [Double], _ expected: Double) {
        for shift in 0..<max(values.count, 1) {
            let turned = Array(values.dropFirst(shift) + values.prefix(shift))
            #expect(sum(turned) == expected)
            #expect(sum(turned.reversed()) == expected)
            #expect(sum(turned.map { -$0 }) == -expected)
        }
    }

    @Test("Opposite infinities are no number, without a sign")
    func infinities() {
        let sum = sum([.infinity, 1, -.infinity])
        #expect(sum.isNaN && sum.sign == .plus)
    }

    @Test(
        "What was added up is that of partial sums that never round",
        arguments: [0, 2, 20, 60, 300, 1_000]
    )
    func drawn(_ width: Int) {
        var generator = SeededGenerator(seed: UInt64(width))
        for count in [2, 3, 10, 1_000] {
            let values = (0..<count).map { _ in
                Double(
                    sign: .random(using: &generator),
                    exponent: .random(in: -width...min(width, 1_000), using: &generator),
                    significand: .random(in: 1..<2, using: &generator)
                )
            }
            #expect(sum(values) == Self.partials(of: values))
            #expect(sum(values.shuffled(using: &generator)) == Self.partials(of: values))
        }
    }

    /// Returns the sum by Shewchuk's partial sums, which do not overlap.
    private static func partials(of values: [Double]) -> Double {
        var partials: [Double] = []
        for value in values {
            var value = value
            var kept: [Double] = []
            for partial in partials {
                let (large, small) =
                    value.magnitude < partial.magnitude ? (partial, value) : (value, partial)
                let sum = large + small
                let rest = small - (sum - large)
                if rest != 0 { kept.append(rest) }
                value = sum
            }
            partials = kept + [value]
        }
        var sum = 0.0
        var rest = 0.0
        while let partial = partials.popLast() {
            let previous = sum
            sum = previous + partial
            rest = partial - (sum - previous)
            if rest != 0 { break }
        }
        // Halfway between two doubles, where what is left decides.
        if let next = partials.last, (rest < 0) == (next < 0) {
            let doubled = rest * 2
            if doubled == (sum + doubled) - sum { sum += doubled }
        }
        return sum
    }

    @Test("The average is the sum divided, also where the sum leaves the range")
    func averages() {
        func average(_ values: [Double]) -> Double {
            values.reduce(into: RealSum()) { $0.add($1) }.divided(by: values.count)
        }
        #expect(average([Self.large, Self.large, Self.large]) == Self.large)
        #expect(average([-Self.large, -Self.large, 0x1p1000]) < -0x1p1023)
        #expect(average([1e16, 1, -1e16]) == 1.0 / 3)
        #expect(average([.infinity, 1]) == .infinity)
    }
}

extension FloatingPointSign {
    fileprivate static func random(using generator: inout some RandomNumberGenerator) -> Self {
        Bool.random(using: &generator) ? .minus : .plus
    }
}
