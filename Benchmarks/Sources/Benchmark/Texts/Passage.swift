import DBClientCore
import Foundation

/// A text of twenty words whose words are searched.
struct Passage: Stored {
    let id: Int
    var text: String

    static let schema = Schema<Passage>(
        name: "Passage",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.text, "text").searchable(),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        text = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(text)
    }

    /// A text by its number; its words are as frequent as those of a language.
    init(_ id: Int) {
        var random = SplitMix64(state: UInt64(id) &* 0x9E37_79B9_7F4A_7C15)
        self.id = id
        text = (0..<20).map { _ in Self.word(Self.rank(&random)) }.joined(separator: " ")
    }

    /// How many different words there are.
    static let vocabulary = 50_000.0

    /// Draws the place of a word in the list of words by their frequency: the second is half as frequent as the first.
    private static func rank(_ random: inout SplitMix64) -> Int {
        Int(pow(vocabulary, Double(random.next() >> 11) / Double(1 << 53)))
    }

    /// The word of a place, of some three to eight letters.
    static func word(_ rank: Int) -> String {
        let consonants = Array("bdfghklmnprstvz")
        let vowels = Array("aeiou")
        var number = rank
        var word = ""
        repeat {
            word.append(consonants[number % 15])
            number /= 15
            word.append(vowels[number % 5])
            number /= 5
        } while number > 0
        return word + "n"
    }
}

/// The same text without a search.
struct PlainPassage: Stored {
    let id: Int
    var text: String

    static let schema = Schema<PlainPassage>(
        name: "PlainPassage",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.text, "text")]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        text = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(text)
    }

    init(_ passage: Passage) {
        id = passage.id
        text = passage.text
    }
}
