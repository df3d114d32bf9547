import Testing

@testable import ModelGenerator

struct SQLiteColumnRuleTests {
    private typealias Sample = SQLiteColumnRule.Sample

    private func kind(_ type: String, isKey: Bool = false, _ sample: Sample) -> FieldKind? {
        SQLiteColumnRule.meaning(ofDeclared: type, isKey: isKey, sample).kind
    }

    @Test func theDeclaredTypeDecidesWhereItHasAnAffinity() {
        let nothing = Sample()
        #expect(kind("INTEGER", nothing) == .int)
        #expect(kind("nvarchar(20)", nothing) == .text)
        #expect(kind("BLOB", nothing) == .data)
        #expect(kind("double precision", nothing) == .double)
        #expect(kind("NVARCHAR(20)", Sample(hasBlobs: true)) == nil)
        #expect(kind("INT", Sample(hasIntegers: true, hasTexts: true)) == nil)
    }

    @Test func theValuesDecideWhereItHasNone() {
        #expect(kind("DATETIME", Sample(hasTexts: true)) == .text)
        #expect(kind("DATETIME", Sample(hasIntegers: true, areTruthValues: false)) == .int)
        #expect(kind("TIMESTAMP", Sample(hasReals: true)) == .double)
        #expect(kind("NUMERIC(10,2)", Sample(hasIntegers: true, hasReals: true)) == .double)
        #expect(kind("DECIMAL", Sample(hasIntegers: true)) == .double)
        #expect(kind("NUMERIC", Sample(hasIntegers: true, hasTexts: true)) == nil)
        #expect(kind("", Sample(hasIntegers: true, areTruthValues: false)) == .int)
        #expect(kind("", Sample(hasBlobs: true, areUUIDs: false)) == .data)
    }

    @Test func truthValuesAndUUIDsAreToldByTypeAndValue() {
        #expect(kind("BOOLEAN", Sample(hasIntegers: true)) == .boolean)
        #expect(kind("BOOLEAN", Sample()) == .boolean)
        #expect(kind("BOOLEAN", Sample(hasIntegers: true, areTruthValues: false)) == .int)
        #expect(kind("BLOB", isKey: true, Sample(hasBlobs: true)) == .uuid)
        #expect(kind("BLOB", Sample(hasBlobs: true)) == .data)
        #expect(kind("UUID", Sample(hasBlobs: true)) == .uuid)
    }

    @Test func aDeclarationTellsCollationsAndNotes() {
        let declaration = SQLiteDeclaration(
            """
            CREATE TABLE "a (b" (
                [x, y] TEXT COLLATE NOCASE CHECK ("x, y" <> ')' COLLATE BINARY), -- , z COLLATE RTRIM
                "born" /* dbclient date? */ INTEGER, `last` TEXT DEFAULT ',' /* dbclient none */,
                plain TEXT
            )
            """
        )
        #expect(declaration["x, y"]?.collation == "NOCASE")
        #expect(declaration["BORN"]?.note == "date?")
        #expect(declaration["plain"]?.collation == nil)
        #expect(declaration["z"] == nil)
    }

    @Test(arguments: [
        ("date?", FieldKind.date), ("int64", .int), ("int16", .integer("Int16")),
        ("text(Mood)", .text),
        ("json[int64]", .list(.int, hasAbsent: false)), ("json[text:date]", .dictionary(.date)),
        ("json{uuid}", .set(.uuid)), ("json<Meta>", .json), ("int64->Folder", .int),
        ("date@iso8601-0?", .date), ("uuid->Folder@uppercase", .uuid),
        ("uint64+offset", .integer("OffsetUInt64")), ("json[text?]", .list(.text, hasAbsent: true)),
    ])
    func aNoteTellsTheKind(_ note: String, _ kind: FieldKind) {
        #expect(WrittenNote(note)?.kind == kind)
    }
}
