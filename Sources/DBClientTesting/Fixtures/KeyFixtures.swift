import DBClientCore
import Foundation

/// A model with any key of one value and one other field.
protocol KeyedFixture: Stored {
    init(_ key: PrimaryKey, _ note: String)
    /// A key path through the protocol would not be the one in the schema.
    static var notePath: any KeyPath<Self, String> & Sendable { get }
}

/// A model whose primary key is text.
struct TextKeyed: KeyedFixture, Equatable {
    let code: String
    var note: String

    init(_ code: String, _ note: String = "") {
        self.code = code
        self.note = note
    }

    static let schema = Schema<TextKeyed>(
        name: "TextKeyed",
        fields: [.field(\.code, "code", primaryKey: .given), .field(\.note, "note")]
    )
    static var notePath: any KeyPath<TextKeyed, String> & Sendable { \.note }
    var primaryKey: String { code }

    init(row: inout RowReader) throws {
        code = try row.read()
        note = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(code)
        try row.write(note)
    }
}

/// A model whose primary key is a UUID.
struct UUIDKeyed: KeyedFixture, Equatable {
    let id: UUID
    var note: String

    init(_ id: UUID, _ note: String = "") {
        self.id = id
        self.note = note
    }

    static let schema = Schema<UUIDKeyed>(
        name: "UUIDKeyed",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.note, "note")]
    )
    static var notePath: any KeyPath<UUIDKeyed, String> & Sendable { \.note }
    var primaryKey: UUID { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        note = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(note)
    }
}

/// With a list of numbers.
struct Measured: Stored, Equatable {
    let id: Int
    var values: [Double]

    init(_ id: Int, _ values: [Double]) {
        self.id = id
        self.values = values
    }

    static let schema = Schema<Measured>(
        name: "Measured",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.values, "values")]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        values = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(values)
    }
}

/// Keyed by an unsigned integer of the whole range.
struct OffsetKeyed: KeyedFixture, Equatable {
    let id: OffsetUInt64
    var note: String

    init(_ id: OffsetUInt64, _ note: String = "") {
        self.id = id
        self.note = note
    }

    static let schema = Schema<OffsetKeyed>(
        name: "OffsetKeyed",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.note, "note")]
    )
    static var notePath: any KeyPath<OffsetKeyed, String> & Sendable { \.note }
    var primaryKey: OffsetUInt64 { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        note = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(note)
    }
}

/// A model whose primary key is an enum.
struct MoodKeyed: KeyedFixture, Equatable {
    let mood: Mood
    var note: String

    init(_ mood: Mood, _ note: String = "") {
        self.mood = mood
        self.note = note
    }

    static let schema = Schema<MoodKeyed>(
        name: "MoodKeyed",
        fields: [.field(\.mood, "mood", primaryKey: .given), .field(\.note, "note")]
    )
    static var notePath: any KeyPath<MoodKeyed, String> & Sendable { \.note }
    var primaryKey: Mood { mood }

    init(row: inout RowReader) throws {
        mood = try row.read()
        note = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(mood)
        try row.write(note)
    }
}

/// A model whose primary key is a date.
struct DateKeyed: KeyedFixture, Equatable {
    let at: Date
    var note: String

    init(_ at: Date, _ note: String = "") {
        self.at = at
        self.note = note
    }

    static let schema = Schema<DateKeyed>(
        name: "DateKeyed",
        fields: [.field(\.at, "at", primaryKey: .given), .field(\.note, "note")]
    )
    static var notePath: any KeyPath<DateKeyed, String> & Sendable { \.note }
    var primaryKey: Date { at }

    init(row: inout RowReader) throws {
        at = try row.read()
        note = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(at)
        try row.write(note)
    }
}

/// A model whose primary key is a decimal.
struct DecimalKeyed: KeyedFixture, Equatable {
    let amount: Decimal
    var note: String

    init(_ amount: Decimal, _ note: String = "") {
        self.amount = amount
        self.note = note
    }

    static let schema = Schema<DecimalKeyed>(
        name: "DecimalKeyed",
        fields: [.field(\.amount, "amount", primaryKey: .given), .field(\.note, "note")]
    )
    static var notePath: any KeyPath<DecimalKeyed, String> & Sendable { \.note }
    var primaryKey: Decimal { amount }

    init(row: inout RowReader) throws {
        amount = try row.read()
        note = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(amount)
        try row.write(note)
    }
}

/// A model that has no field but its primary key.
struct KeyOnly: Stored, Equatable {
    let id: Int

    init(_ id: Int) {
        self.id = id
    }

    static let schema = Schema<KeyOnly>(
        name: "KeyOnly",
        fields: [.field(\.id, "id", primaryKey: .given)]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
    }
}

/// With an index over data.
struct Sample: Stored, Equatable {
    let id: Int
    var bytes: Data

    init(_ id: Int, _ bytes: Data) {
        self.id = id
        self.bytes = bytes
    }

    static let schema = Schema<Sample>(
        name: "Sample",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.bytes, "bytes", index: .plain)]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        bytes = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(bytes)
    }
}
