import DBClientCore
import Foundation

/// Fields that are kept as JSON and hold sets and dictionaries, whose order of iteration differs from value to
/// value.
@Stored struct Traits {
    /// A struct with sets and dictionaries, at several depths, that is kept as JSON.
    struct Marks: Codable, Hashable, Sendable {
        var words: Set<String>
        var counts: [Mood: Int]
        var nested: [[String: Set<Int>]]
    }

    let id: Int
    var marks: Marks
    var otherMarks: Marks
    var places: [UUID: Int]
    var moods: [Mood: Int]?
    var kept: [Marks]

    /// Creates equal values for equal numbers, their parts put in in an order that differs each time.
    init(_ id: Int, number: Int, using generator: inout some RandomNumberGenerator) {
        func set<Element>(_ elements: [Element]) -> Set<Element> {
            var set = Set<Element>(minimumCapacity: .random(in: 0...500, using: &generator))
            for element in elements.shuffled(using: &generator) { set.insert(element) }
            return set
        }
        func dictionary<Key, Value>(_ pairs: [(Key, Value)]) -> [Key: Value] {
            var result = [Key: Value](minimumCapacity: .random(in: 0...500, using: &generator))
            for (key, value) in pairs.shuffled(using: &generator) { result[key] = value }
            return result
        }
        func marks() -> Marks {
            Marks(
                words: set((0..<12).map { "word \($0 + number)" }),
                counts: dictionary(Mood.allCases.map { ($0, number) }),
                nested: [["numbers": set(Array(number..<number + 9))]]
            )
        }
        self.id = id
        self.marks = marks()
        otherMarks = marks()
        kept = number == 0 ? [] : [marks()]
        places = dictionary(
            (0..<9).map {
                (UUID(uuid: (UInt8(number), $0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4)), Int($0))
            }
        )
        moods = dictionary(Mood.allCases.map { ($0, number) })
    }
}
