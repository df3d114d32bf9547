/// The scores of a search: BM25 with k1 = 1.2 and b = 0.75, in one order of operations.
///
/// A score is the sum, over the terms in their order, of
///
///     weight(term) * (frequency * (k1 + 1)) / (frequency + k1 * ((1 - b) + b * (length / average)))
///
/// where `weight(term)` is `ln(1 + (values - n + 0.5) / (n + 0.5))` for a term that `n` of the values have, the frequency is
/// the sum over the fields of their weight times how often they have the term, the length is the number of words of a
/// value, and the average that of all values which have a word. Each operation is rounded to the nearest double, and the
/// logarithm is computed here, so a score depends on no library of the system.
struct SearchRank: Sendable {
    private static let k1 = 1.2
    private static let b = 0.75

    /// The weight of each term.
    private let weights: [Double]
    private let average: Double

    init(_ figures: SearchFigures) {
        let values = Double(figures.values)
        average = figures.values == 0 ? 1 : Double(figures.words) / values
        weights = figures.valuesWithTerm.map { count in
            let count = Double(count)
            return Self.logarithm(1 + (values - count + 0.5) / (count + 0.5))
        }
    }

    /// Begins the score of a value of so many words.
    func score(length: Int) -> Score {
        let norm = Self.k1 * ((1 - Self.b) + Self.b * (Double(length) / average))
        return Score(weights: weights, norm: norm)
    }

    /// A score as its terms are added.
    struct Score {
        fileprivate let weights: [Double]
        fileprivate let norm: Double
        private(set) var sum = 0.0

        fileprivate init(weights: [Double], norm: Double) {
            self.weights = weights
            self.norm = norm
        }

        /// Adds a term, given how often the value has it.
        mutating func add(_ term: Int, _ frequency: Double) {
            if frequency == 0 { return }
            sum += weights[term] * ((frequency * (SearchRank.k1 + 1)) / (frequency + norm))
        }
    }

    /// Returns the natural logarithm of a normal number above zero: the method of fdlibm's `e_log.c` (Sun Microsystems,
    /// 1993), whose error is below one unit in the last place.
    static func logarithm(_ number: Double) -> Double {
        var exponent = Double(number.exponent)
        var significand = number.significand
        if significand > 1.414_213_562_373_095_1 {
            significand *= 0.5
            exponent += 1
        }
        let f = significand - 1
        let s = f / (2 + f)
        let z = s * s
        let w = z * z
        let even =
            w * (0.3999999999940941908 + w * (0.2222219843214978396 + w * 0.1531383769920937332))
        let odd =
            z
            * (0.6666666666666735130
                + w
                * (0.2857142874366239149
                    + w * (0.1818357216161805012 + w * 0.1479819860511658591)))
        let half = 0.5 * f * f
        let low = exponent * 1.90821492927058770002e-10
        return exponent * 6.93147180369123816490e-01
            - ((half - (s * (half + (odd + even)) + low)) - f)
    }
}
