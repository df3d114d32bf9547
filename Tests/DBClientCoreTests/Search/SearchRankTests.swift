import DBClientTestSupport
import Foundation
import Testing

@testable import DBClientCore

@Stored private struct Sheet {
    let id: Int
    var name: String
    var bio: String?
    var power: Double
}

@Suite("Scores are computed in one way")
struct SearchRankTests {
    @Test("The logarithm is the system's, but for the last place")
    func logarithm() {
        let random = RandomSource(seed: 1)
        for _ in 0..<100_000 {
            let number =
                exp(Double(random.below(1_000_000)) / 20_000) + Double(random.below(1000)) / 997
            let expected = log(number)
            #expect(abs(SearchRank.logarithm(number) - expected) <= expected.ulp)
        }
        #expect(SearchRank.logarithm(1) == 0)
        #expect(SearchRank.logarithm(2) == log(2))
    }

    @Test("A score is these bits")
    func bits() {
        var figures = SearchFigures(terms: 2)
        figures.values = 1_000_003
        figures.words = 20_000_171
        figures.valuesWithTerm = [1_234, 77_777]
        var score = SearchRank(figures).score(length: 17)
        score.add(0, 3)
        score.add(1, 1.5)
        #expect(score.sum.bitPattern == 0x402C_5189_D015_6DA0)
    }

    @Test("A schema whose searchable property is no text, or of no weight, is invalid")
    func schemas() {
        func failure(_ field: SchemaField<Sheet>) -> DBClientError? {
            Schema<Sheet>(
                name: "Sheet",
                fields: [.field(\.id, "id", primaryKey: .given), field]
            ).entity.failure
        }
        #expect(failure(.field(\.name, "name").searchable()) == nil)
        #expect(failure(.field(\.bio, "bio").searchable(weight: 1000)) == nil)
        #expect(failure(.field(\.power, "power").searchable())?.code == .invalidSchema)
        for weight in [0, -1, 1000.5, .infinity, .nan] {
            #expect(failure(.field(\.name, "name").searchable(weight: weight))?.field == "name")
        }
    }
}
