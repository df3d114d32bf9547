import DBClientCore
import Foundation
import Testing

@Suite("Models as rows")
struct ModelCodingTests {
    private var full: Character {
        var hero = Character(identifier: 1455, name: "Iron Man")
        hero.nickname = "Shellhead"
        hero.power = 9_001
        hero.isSecret = false
        hero.born = Date(timeIntervalSince1970: 1_000.000_001)
        hero.alignment = .neutral
        hero.former = .bad
        hero.universe = .ultimate
        hero.origin = .prime
        hero.aliases = ["Tony", "Anthony"]
        hero.teams = [1, 2]
        hero.appearance = Appearance(issue: "Tales of Suspense 39", year: 1963, month: 3)
        hero.costume = Costume(colours: ["red", "gold"], isArmoured: true)
        hero.token = UUID()
        return hero
    }

    @Test("A model with every kind of field reads back as itself, absent fields too")
    func roundTrips() throws {
        let models = [full, Character(identifier: 2, name: "")]
        #expect(try decode(encode(models), as: Character.self) == models)
    }

    @Test("An embedded struct is a column for each field; an optional one has a column before them")
    func embedded() throws {
        let names = Character.schema.entity.fields.map(\.name)
        #expect(names.contains("debut_issue"))
        #expect(!names.contains("debut"))
        let row = BufferRow(buffer: try encode([full]), index: 0).values
        #expect(row[Character.column("appearance")] == .integer(1))
        #expect(row[Character.column("appearance_year")] == .integer(1_963))
        let hero = Character(identifier: 1, name: "x")
        let bare = BufferRow(buffer: try encode([hero]), index: 0).values
        for name in ["appearance", "appearance_issue", "appearance_year", "appearance_month"] {
            #expect(bare[Character.column(name)].isNull)
            #expect(Character.schema.entity.fields[Character.column(name)].isOptional)
        }
        #expect(!Character.schema.entity.fields[Character.column("debut_year")].isOptional)
        #expect(Character.schema.entity.fields[Character.column("debut_month")].isOptional)
    }

    @Test("A row that does not fit is an error that names entity and field, and shows no value")
    func decodingErrors() throws {
        let buffer = try encode([full])
        func error(_ field: String, _ slot: Slot) -> DBClientError? {
            let column = Character.column(field)
            let kept = buffer.batch[0, column]
            buffer.replace(row: 0, column: column, with: slot)
            defer { buffer.replace(row: 0, column: column, with: kept) }
            return failure { try decode(buffer, as: Character.self) }
        }
        for (field, slot) in [
            ("name", Slot.null), ("power", .real(1)), ("isAlive", .integer(7)),
            ("universe", .integer(31_415)), ("origin", .integer(31_415)),
            ("costume", .integer(31_415)), ("debut_year", .null), ("appearance_year", .null),
            ("debut_year", .real(31_415)), ("appearance_month", .real(31_415)),
        ] {
            let error = try #require(error(field, slot))
            #expect(error.code == .decoding)
            #expect(error.entity == "Character")
            #expect(error.field == field)
            #expect(!error.description.contains("31415"))
        }
    }

    @Test("A value that no engine keeps is an error that names the field")
    func encodingErrors() {
        var nan = full
        nan.height = .nan
        #expect(failure { try encode([nan]) }?.field == "height")
        var zero = full
        zero.appearance?.issue = "a\0b"
        let error = failure { try encode([zero]) }
        #expect(error?.code == .invalidValue)
        #expect(error?.entity == "Character")
        #expect(error?.field == "appearance_issue")
    }

    @Test("A buffer knows whether a value reads back different")
    func normalized() throws {
        #expect(try !encode([full]).isNormalized)
        var hero = full
        hero.born = Date(timeIntervalSince1970: 0.000_000_4)
        #expect(try encode([hero]).isNormalized)
        hero = full
        hero.height = -0.0
        #expect(try encode([hero]).isNormalized)
    }

    @Test("Writing or reading another number of fields than the schema has is an error")
    func fieldCount() {
        #expect(failure { try encode([Short(identifier: 1)]) }?.code == .invalidSchema)
        #expect(failure { try encode([Long(identifier: 1)]) }?.code == .invalidSchema)
        #expect(
            failure { try decode(makeBuffer(Long.schema.entity, [.integer(1)]), as: Long.self) }?
                .code
                == .invalidSchema
        )
    }
}

/// Writes fewer fields than its schema has.
private struct Short: Stored {
    var identifier: Int
    var primaryKey: Int { identifier }
    static let schema = Schema<Short>(
        name: "Short",
        fields: [
            .field(\.identifier, "identifier", primaryKey: .given), .field(\.primaryKey, "more"),
        ]
    )
    init(identifier: Int) { self.identifier = identifier }
    init(row: inout RowReader) throws { identifier = try row.read() }
    func write(to row: inout RowWriter) throws { try row.write(identifier) }
}

/// Writes and reads more fields than its schema has.
private struct Long: Stored {
    var identifier: Int
    var primaryKey: Int { identifier }
    static let schema = Schema<Long>(
        name: "Long",
        fields: [.field(\.identifier, "identifier", primaryKey: .given)]
    )
    init(identifier: Int) { self.identifier = identifier }
    init(row: inout RowReader) throws {
        identifier = try row.read()
        identifier = try row.read()
    }
    func write(to row: inout RowWriter) throws {
        try row.write(identifier)
        try row.write(identifier)
    }
}
