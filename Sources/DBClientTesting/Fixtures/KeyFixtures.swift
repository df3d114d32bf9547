import DBClientCore
import Foundation

/// A model with any key of one value and one other field.
protocol KeyedFixture: Stored {
    init(_ key: PrimaryKey, _ note: String)
    /// A key path through the protocol would not be the one in the schema.
    static var notePath: any KeyPath<Self, String> & Sendable { get }
}

/// A model whose primary key is text.
@Stored struct TextKeyed: KeyedFixture, Equatable {
    @PrimaryKey let code: String
    var note: String

    init(_ code: String, _ note: String = "") {
        self.code = code
        self.note = note
    }

    static var notePath: any KeyPath<TextKeyed, String> & Sendable { \.note }
}

/// A model whose primary key is a UUID.
@Stored struct UUIDKeyed: KeyedFixture, Equatable {
    let id: UUID
    var note: String

    init(_ id: UUID, _ note: String = "") {
        self.id = id
        self.note = note
    }

    static var notePath: any KeyPath<UUIDKeyed, String> & Sendable { \.note }
}

/// A model with a list of numbers that is kept as JSON.
@Stored struct Measured: Equatable {
    let id: Int
    var values: [Double]

    init(_ id: Int, _ values: [Double]) {
        self.id = id
        self.values = values
    }
}

/// Keyed by an unsigned integer of the whole range.
@Stored struct OffsetKeyed: KeyedFixture, Equatable {
    let id: OffsetUInt64
    var note: String

    init(_ id: OffsetUInt64, _ note: String = "") {
        self.id = id
        self.note = note
    }

    static var notePath: any KeyPath<OffsetKeyed, String> & Sendable { \.note }
}

/// A model whose primary key is an enum.
@Stored struct MoodKeyed: KeyedFixture, Equatable {
    @PrimaryKey let mood: Mood
    var note: String

    init(_ mood: Mood, _ note: String = "") {
        self.mood = mood
        self.note = note
    }

    static var notePath: any KeyPath<MoodKeyed, String> & Sendable { \.note }
}

/// A model whose primary key is a date.
@Stored struct DateKeyed: KeyedFixture, Equatable {
    @PrimaryKey let at: Date
    var note: String

    init(_ at: Date, _ note: String = "") {
        self.at = at
        self.note = note
    }

    static var notePath: any KeyPath<DateKeyed, String> & Sendable { \.note }
}

/// A model whose primary key is a decimal.
@Stored struct DecimalKeyed: KeyedFixture, Equatable {
    @PrimaryKey let amount: Decimal
    var note: String

    init(_ amount: Decimal, _ note: String = "") {
        self.amount = amount
        self.note = note
    }

    static var notePath: any KeyPath<DecimalKeyed, String> & Sendable { \.note }
}

/// A model that has no field but its primary key.
@Stored struct KeyOnly: Equatable {
    let id: Int

    init(_ id: Int) {
        self.id = id
    }
}

/// A model with an index over data.
@Stored struct Sample: Equatable {
    let id: Int
    @Indexed var bytes: Data

    init(_ id: Int, _ bytes: Data) {
        self.id = id
        self.bytes = bytes
    }
}
