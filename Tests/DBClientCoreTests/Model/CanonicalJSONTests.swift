import Foundation
import Testing

@testable import DBClientCore

@Suite("Codable values as canonical JSON")
struct CanonicalJSONTests {
    private enum Mood: String, Codable, CaseIterable { case calm, cross, glad, sad, tired }

    private struct Moods: Codable, Equatable {
        var words: Set<String>
        var counts: [Mood: Int]
        var ids: [UUID: Set<Int8>]
        var named: [String: [Mood: Date]]
        var nested: [[Set<Double>]]
        var any: Choice
        var floats: [Float]
        var wide: [UInt64]

        enum Choice: Codable, Hashable {
            case some(Set<Mood>)
            case none
        }
    }

    @Test(
        "Sets and dictionaries inside Codable values are canonical, and the rest has the encoder's text"
    )
    func insideCodables() throws {
        let words = (0..<40).map { "word \($0)" }
        let ids = (0..<20).map { _ in UUID() }
        /// Equal values whose parts were put in in other orders, into storage of other sizes.
        func make(_ seed: UInt64) -> Moods {
            var generator = SeededGenerator(seed: seed)
            func set<Element>(_ elements: [Element]) -> Set<Element> {
                var set = Set<Element>(
                    minimumCapacity: Int.random(in: 0...2_000, using: &generator)
                )
                for element in elements.shuffled(using: &generator) { set.insert(element) }
                return set
            }
            func dictionary<Key, Value>(_ keys: [Key], _ value: (Key) -> Value) -> [Key: Value] {
                var pairs = [Key: Value](
                    minimumCapacity: Int.random(in: 0...2_000, using: &generator)
                )
                for key in keys.shuffled(using: &generator) { pairs[key] = value(key) }
                return pairs
            }
            let places = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
            let moods = Mood.allCases
            return Moods(
                words: set(words),
                counts: dictionary(moods) { $0.rawValue.utf8.count },
                ids: dictionary(ids) { id in set((0..<Int8(places[id]!)).map { $0 }) },
                named: dictionary(["a", "b", "c"]) { _ in
                    dictionary(moods) {
                        Date(timeIntervalSince1970: Double($0.rawValue.utf8.count))
                    }
                },
                nested: [[set([1.5, 2, 3, 4, 5, 6])], []],
                any: .some(set(moods)),
                floats: [1.5, 0.1],
                wide: [.max]
            )
        }
        let first = try JSONField.encode(make(0))
        for seed in 1..<20 as Range<UInt64> {
            #expect(make(seed) == make(0))
            #expect(try JSONField.encode(make(seed)) == first)
        }
        #expect(try first.withUnsafeBytes { try JSONField.decode(Moods.self, from: $0) } == make(0))
        let text = String(decoding: first, as: UTF8.self)
        #expect(text.contains(#""counts":["calm",4,"cross",5,"glad",4,"sad",3,"tired",5]"#))
        #expect(text.contains(#""floats":[1.5,0.1]"#))
        #expect(text.contains(#""wide":[18446744073709551615]"#))
        #expect(text.contains(#""named":{"a":["calm",4000000,"#))
    }

    @Test("What holds no sets has the text that the encoder gives it")
    func sameAsBefore() throws {
        struct Plain: Codable {
            var text = "a\"/é"
            var numbers = [1.0, 0.1, 1e-7, 1e21]
            var decimal = Decimal(string: "1.50")
            var data = Data([1, 2, 3])
            var url = URL(string: "https://a.b/c?d=e")
            var id: UUID? = nil
            var keys = ["b": [1: true], "A": [:], "a10": [20: false, 3: true], "a9": [:]]
            var small: Int8 = -3
            var mood = Mood.calm
            var choice = Moods.Choice.none
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(try JSONField.encode(Plain()) == encoder.encode(Plain()))
        #expect(try JSONField.encode([Plain?]([Plain(), nil])) == encoder.encode([Plain(), nil]))
    }
}
