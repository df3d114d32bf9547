import DBClientCore

// Schemas that are wrong, each in one way. An enum without cases stands for each, since only its
// static members are used.

enum NoKey: LooseShape {
    static func fields() -> [SchemaField<Loose<Self>>] {
        [.field(\.id, "id"), .field(\.other, "other")]
    }
}

enum OptionalKey: LooseShape {
    static func fields() -> [SchemaField<Loose<Self>>] {
        [.field(\.maybe, "id", primaryKey: .given), .field(\.other, "other")]
    }
}

enum ListKey: LooseShape {
    static func fields() -> [SchemaField<Loose<Self>>] {
        [.field(\.list, "id", primaryKey: .given), .field(\.other, "other")]
    }
}

enum TwiceNamed: LooseShape {
    static func fields() -> [SchemaField<Loose<Self>>] {
        [.field(\.id, "id", primaryKey: .given), .field(\.other, "id")]
    }
}

enum CaseNamed: LooseShape {
    static func fields() -> [SchemaField<Loose<Self>>] {
        [.field(\.id, "id", primaryKey: .given), .field(\.other, "ID")]
    }
}

enum EmptyName: LooseShape {
    static var entity: String { "" }
}

enum NULName: LooseShape {
    static var entity: String { "a\0b" }
}

enum LongName: LooseShape {
    static var entity: String { String(repeating: "é", count: 32) }
}

enum LongestName: LooseShape {
    static var entity: String { String(repeating: "é", count: 31) + "x" }
}

enum EmptyField: LooseShape {
    static func fields() -> [SchemaField<Loose<Self>>] {
        [.field(\.id, "id", primaryKey: .given), .field(\.other, "")]
    }
}

enum LongField: LooseShape {
    static func fields() -> [SchemaField<Loose<Self>>] {
        [
            .field(\.id, "id", primaryKey: .given),
            .field(\.other, String(repeating: "f", count: 64)),
        ]
    }
}

enum LongestField: LooseShape {
    static func fields() -> [SchemaField<Loose<Self>>] {
        [
            .field(\.id, "id", primaryKey: .given),
            .field(\.other, String(repeating: "f", count: 63), index: .plain),
        ]
    }
}

enum ListIndex: LooseShape {
    static func fields() -> [SchemaField<Loose<Self>>] {
        [.field(\.id, "id", primaryKey: .given), .field(\.list, "list", index: .plain)]
    }
}

enum UnknownIndex: LooseShape {
    static func indexes() -> [StoredIndex<Loose<Self>>] {
        [StoredIndex(\.other, \.unknown)]
    }
}

enum TwiceIndexed: LooseShape {
    static func indexes() -> [StoredIndex<Loose<Self>>] {
        [StoredIndex(\.other, \.id), .unique(\.other)]
    }
}

enum WideIndex: LooseShape {
    static func indexes() -> [StoredIndex<Loose<Self>>] {
        [
            StoredIndex(
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.other,
                \.id
            )
        ]
    }
}

enum WideKey: LooseShape {
    static func fields() -> [SchemaField<Loose<Self>>] {
        [.field(\.id, "id", primaryKey: .given)]
            + (1...32).map { .field(\.other, "other\($0)", primaryKey: .given) }
    }
}

enum GeneratedPair: LooseShape {
    static func fields() -> [SchemaField<Loose<Self>>] {
        [
            .field(\.id, "id", primaryKey: .generated),
            .field(\.other, "other", primaryKey: .generated),
        ]
    }
}

enum Few: LooseShape {
    static func write(_ id: Int, _ other: Int, to row: inout RowWriter) throws {
        try row.write(id)
    }
}

enum Many: LooseShape {
    static func write(_ id: Int, _ other: Int, to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(other)
        try row.write(other)
    }
}

enum Greedy: LooseShape {
    static var extraFields: Int { 1 }
}

enum Wishful: LooseShape {
    static var readsOptionalValue: Bool { true }
}

enum Composed: LooseShape {
    static var entity: String { "\u{E9}" }
}

enum Decomposed: LooseShape {
    static var entity: String { "e\u{301}" }
}

enum Upper: LooseShape {
    static var entity: String { "Sidekick" }
}

enum Lower: LooseShape {
    static var entity: String { "sidekick" }
}
