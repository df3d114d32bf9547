import DBClientCore
import Foundation

/// Has as many fields in an index as there may be, of the widest kind whose values have one length.
struct Wide: Stored, Equatable {
    let id: Int
    var words: [UUID]

    init(_ id: Int, _ words: [UUID]) {
        self.id = id
        self.words = words
    }

    /// The indexed field at a position.
    subscript(position: Int) -> UUID { words[position] }

    static let schema = Schema<Wide>(
        name: "Wide",
        fields: [.field(\.id, "id", primaryKey: .given)]
            + (0..<32).map { .field(\.[$0], "word\($0)") },
        indexes: [
            StoredIndex(
                \.[0],
                \.[1],
                \.[2],
                \.[3],
                \.[4],
                \.[5],
                \.[6],
                \.[7],
                \.[8],
                \.[9],
                \.[10],
                \.[11],
                \.[12],
                \.[13],
                \.[14],
                \.[15],
                \.[16],
                \.[17],
                \.[18],
                \.[19],
                \.[20],
                \.[21],
                \.[22],
                \.[23],
                \.[24],
                \.[25],
                \.[26],
                \.[27],
                \.[28],
                \.[29],
                \.[30],
                \.[31]
            )
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        var words: [UUID] = []
        for _ in 0..<32 { words.append(try row.read()) }
        self.words = words
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        for word in words { try row.write(word) }
    }
}

/// Keyed by a text and as many numbers as make the longest key too long.
struct WideKeyed: Stored, Equatable {
    /// The key: the text, then the numbers.
    struct PrimaryKey: PrimaryKeyValue {
        let text: String
        let numbers: [Int]

        static var columnCount: Int { 15 }

        init(_ text: String, _ numbers: [Int]) {
            self.text = text
            self.numbers = numbers
        }

        init(row: inout RowReader) throws {
            text = try row.read()
            var numbers: [Int] = []
            for _ in 0..<14 { numbers.append(try row.read()) }
            self.numbers = numbers
        }

        func write(to row: inout RowWriter) throws {
            try row.write(text)
            for number in numbers { try row.write(number) }
        }
    }

    let primaryKey: PrimaryKey

    init(_ text: String) {
        primaryKey = PrimaryKey(text, Array(0..<14))
    }

    /// The first field of the key.
    var text: String { primaryKey.text }

    /// One of the other fields of the key.
    subscript(position: Int) -> Int { primaryKey.numbers[position] }

    static let schema = Schema<WideKeyed>(
        name: "WideKeyed",
        fields: [.field(\.text, "text", primaryKey: .given, index: .plain)]
            + (0..<14).map { .field(\.[$0], "number\($0)", primaryKey: .given) }
    )

    init(row: inout RowReader) throws {
        primaryKey = try PrimaryKey(row: &row)
    }

    func write(to row: inout RowWriter) throws {
        try primaryKey.write(to: &row)
    }
}

/// Has as many fields as there may be.
struct Broad: Stored, Equatable {
    static let flagCount = 1_499

    let id: Int
    var flags: [Bool]

    init(_ id: Int, where isSet: (Int) -> Bool) {
        self.id = id
        flags = (0..<Self.flagCount).map(isSet)
    }

    /// One of the fields beside the key.
    subscript(position: Int) -> Bool { flags[position] }

    static let schema = Schema<Broad>(
        name: "Broad",
        fields: [.field(\.id, "id", primaryKey: .given)]
            + (0..<flagCount).map { .field(\.[$0], "flag\($0)") }
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        var flags: [Bool] = []
        for _ in 0..<Self.flagCount { flags.append(try row.read()) }
        self.flags = flags
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        for flag in flags { try row.write(flag) }
    }
}

/// Has one field more than there may be.
struct TooBroad: Stored, Equatable {
    static let flagCount = 1_500

    let id: Int
    var flags: [Bool]

    init(_ id: Int, where isSet: (Int) -> Bool) {
        self.id = id
        flags = (0..<Self.flagCount).map(isSet)
    }

    /// One of the fields beside the key.
    subscript(position: Int) -> Bool { flags[position] }

    static let schema = Schema<TooBroad>(
        name: "TooBroad",
        fields: [.field(\.id, "id", primaryKey: .given)]
            + (0..<flagCount).map { .field(\.[$0], "flag\($0)") }
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        var flags: [Bool] = []
        for _ in 0..<Self.flagCount { flags.append(try row.read()) }
        self.flags = flags
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        for flag in flags { try row.write(flag) }
    }
}
