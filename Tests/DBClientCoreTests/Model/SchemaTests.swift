import DBClientCore
import Foundation
import Testing

/// A model whose schema is whatever a test needs; two type parameters keep the schemas apart.
private struct Loose: Stored {
    var identifier = 0
    var text = ""
    var optional: Int?
    var list: [Int] = []
    var debut = Appearance(issue: "", year: 0)
    var later: Appearance?
    var unstored = 0

    static let schema = Schema<Loose>(
        name: "Loose",
        fields: [.field(\.identifier, "identifier", primaryKey: .given)]
    )
    var primaryKey: Int { identifier }
    init(row: inout RowReader) throws { identifier = try row.read() }
    func write(to row: inout RowWriter) throws { try row.write(identifier) }
}

@Suite("Schemas")
struct SchemaTests {
    private let key = SchemaField<Loose>.field(\.identifier, "identifier", primaryKey: .given)

    private func entity(
        _ fields: [SchemaField<Loose>],
        named name: String = "Loose",
        indexes: [StoredIndex<Loose>] = []
    ) -> EntitySchema {
        Schema<Loose>(name: name, fields: fields, indexes: indexes).entity
    }

    private func expectInvalid(
        _ entity: EntitySchema,
        field: String? = nil,
        saying words: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = failure { try entity.validate() }
        #expect(error?.code == .invalidSchema, sourceLocation: sourceLocation)
        #expect(error?.entity == entity.name, sourceLocation: sourceLocation)
        #expect(error?.field == field, sourceLocation: sourceLocation)
        #expect(error?.message.contains(words) == true, sourceLocation: sourceLocation)
    }

    @Test("A well-formed schema passes")
    func valid() throws {
        try entity([key, .field(\.text, String(repeating: "x", count: 63))]).validate()
        try entity([key, .field(\.text, "naïve name \"quoted\"")]).validate()
        try Character.schema.entity.validate()
    }

    @Test("A model needs a primary key that is never nil and no list")
    func primaryKeys() {
        expectInvalid(entity([.field(\.text, "text")]), saying: "must have a primary key")
        expectInvalid(entity([]), saying: "must have a primary key")
        expectInvalid(
            entity([.field(\.optional, "optional", primaryKey: .given)]),
            field: "optional",
            saying: "must not be optional"
        )
        expectInvalid(
            entity([.field(\.list, "list", primaryKey: .given)]),
            field: "list",
            saying: "JSON"
        )
    }

    @Test("Only one integer, UUID or string can be generated")
    func generation() throws {
        try entity([.field(\.identifier, "identifier", primaryKey: .generated)]).validate()
        try entity([.field(\.text, "text", primaryKey: .generated)]).validate()
        expectInvalid(
            entity([
                .field(\.identifier, "identifier", primaryKey: .generated),
                .field(\.text, "text", primaryKey: .generated),
            ]),
            saying: "one field"
        )
        expectInvalid(
            entity([.field(\.list, "list", primaryKey: .generated)]),
            field: "list",
            saying: "an integer, a UUID or a string"
        )
    }

    @Test(
        "A stored name has 1 to 63 bytes and no NUL",
        arguments: [
            "", String(repeating: "x", count: 64), String(repeating: "é", count: 32), "a\0",
        ]
    )
    func names(name: String) {
        expectInvalid(entity([key, .field(\.text, name)]), field: name, saying: "stored name")
        expectInvalid(entity([key], named: name), field: name, saying: "stored name")
    }

    @Test("Two names that differ in ASCII case alone are one name; two Unicode forms are two")
    func duplicates() throws {
        expectInvalid(
            entity([key, .field(\.text, "Name"), .field(\.optional, "nAME")]),
            field: "nAME",
            saying: "Two fields"
        )
        expectInvalid(
            entity([key, .field(\.debut, "debut"), .field(\.text, "debut_year")]),
            field: "debut_year",
            saying: "Two fields"
        )
        try entity([key, .field(\.text, "\u{E9}"), .field(\.optional, "e\u{301}")]).validate()
    }

    @Test("An index is over stored properties that are no lists")
    func indexes() {
        expectInvalid(
            entity([key], indexes: [StoredIndex(\.unstored)]),
            saying: "not stored"
        )
        expectInvalid(
            entity([key, .field(\.list, "list", index: .plain)]),
            field: "list",
            saying: "indexed field must not be JSON"
        )
        expectInvalid(
            entity([key, .field(\.list, "list")], indexes: [StoredIndex(\.identifier, \.list)]),
            field: "list",
            saying: "indexed field must not be JSON"
        )
        expectInvalid(entity([key], indexes: [StoredIndex<Loose>()]), saying: "at least one field")
    }

    @Test("Indexes are listed by position, those inside embedded structs too")
    func indexPositions() {
        let schema = entity(
            [
                key, .field(\.text, "text", index: .unique), .field(\.debut, "debut"),
                .field(\.later, "later"),
            ],
            indexes: [.unique(\.text, \.debut.year)]
        )
        #expect(
            schema.indexes == [
                IndexSchema(fields: [1], isUnique: true),
                IndexSchema(fields: [1, 3], isUnique: true),
            ]
        )
        let nested = Schema<Owner>(
            name: "Owner",
            fields: [
                .field(\.identifier, "identifier", primaryKey: .given), .field(\.one, "one"),
                .field(\.two, "two"),
            ]
        ).entity
        #expect(
            nested.fields.map(\.name) == [
                "identifier", "one_plain", "one_marked", "two", "two_plain", "two_marked",
            ]
        )
        #expect(
            nested.indexes == [
                IndexSchema(fields: [2], isUnique: true), IndexSchema(fields: [5], isUnique: true),
            ]
        )
    }

    @Test("A composite key keeps the order of its fields, an integer key is told apart")
    func keys() {
        let composite = entity([
            .field(\.text, "text", primaryKey: .given), .field(\.optional, "optional"),
            .field(\.identifier, "identifier", primaryKey: .given),
        ])
        #expect(composite.primaryKey == [0, 2])
        #expect(composite.integerKey == nil)
        #expect(entity([.field(\.text, "text"), key]).integerKey == 1)
        #expect(composite.position(of: "identifier") == 2)
        #expect(composite.position(of: "Identifier") == nil)
    }

    @Test("A relationship inside an embedded struct is refused by its name, at any depth")
    func misplacedRelationships() {
        let key = SchemaField<Holder>.field(\.identifier, "identifier", primaryKey: .given)
        let fields: [(SchemaField<Holder>, String)] = [
            (.field(\.one, "one"), "held"), (.field(\.two, "two"), "held"),
            (.field(\.outer, "outer"), "held"),
        ]
        for (field, name) in fields {
            let entity = Schema<Holder>(name: "Holder", fields: [key, field]).entity
            expectInvalid(entity, field: name, saying: "must not have relationships")
        }
    }

    @Test("What is wrong with a model is thrown by a request for it")
    func use() {
        #expect(failure { try Broken.all.rowQuery() }?.code == .invalidSchema)
        #expect(failure { try Broken.where { $0.text == "x" }.rowQuery() }?.code == .invalidSchema)
        let sorted = Broken.all.sorted { $0.missing.ascending.caseInsensitive }
        #expect(failure { try sorted.rowQuery() }?.code == .invalidSchema)
        #expect(failure { try Condition<Broken>.field("text", .equal, "x") } != nil)
    }
}

private struct Marked: EmbeddedValue {
    var plain = 0
    var marked = 0
    static let schema = EmbeddedSchema<Marked>(fields: [
        .field(\.plain, "plain"), .field(\.marked, "marked", index: .unique),
    ])
    init(row: inout RowReader) throws {}
    func write(to row: inout RowWriter) throws {}
}

private struct Owner: Stored {
    var identifier = 0
    var one: Marked
    var two: Marked?
    static let schema = Schema<Owner>(name: "Owner", fields: [])
    var primaryKey: Int { identifier }
    init(row: inout RowReader) throws { one = try row.read() }
    func write(to row: inout RowWriter) throws {}
}

private struct Holding: EmbeddedValue {
    var held = Reference<Owner>(0)
    static let schema = EmbeddedSchema<Holding>(fields: [.field(\.held, "held")])
    init(row: inout RowReader) throws {}
    func write(to row: inout RowWriter) throws {}
}

private struct Outer: EmbeddedValue {
    var inner: Holding
    static let schema = EmbeddedSchema<Outer>(fields: [.field(\.inner, "inner")])
    init(row: inout RowReader) throws { inner = try row.read() }
    func write(to row: inout RowWriter) throws {}
}

private struct Holder: Stored {
    var identifier = 0
    var one: Holding
    var two: Holding?
    var outer: Outer
    static let schema = Schema<Holder>(name: "Holder", fields: [])
    var primaryKey: Int { identifier }
    init(row: inout RowReader) throws {
        one = try row.read()
        outer = try row.read()
    }
    func write(to row: inout RowWriter) throws {}
}

/// Has no primary key and not even a field.
private struct Broken: Stored {
    var text = ""
    var missing = ""
    static let schema = Schema<Broken>(name: "Broken", fields: [])
    var primaryKey: String { text }
    init(row: inout RowReader) throws {}
    func write(to row: inout RowWriter) throws {}
}
