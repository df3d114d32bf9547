#if Macros
import SwiftDiagnostics
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import DBClientMacros

@Suite("@Stored tells what properties begin with")
struct DefaultExpansionTests {
    @Test("What a property begins with is told, whatever the initial value is")
    func tellsDefaults() {
        assertExpansion(
            """
            @Stored struct Page {
                let id: Int
                var mood: Mood = .calm
                var part: Part = .init(x: 1)
                var made = Date()
                var rank = -1
                var note: String? = nil
                @Trimmed var text = "none"
                @Trimmed var other = make()
                @Transient var cache = 0
            }
            """,
            #"""
            struct Page {
                let id: Int
                var mood: Mood = .calm
                var part: Part = .init(x: 1)
                var made = Date()
                var rank = -1
                var note: String? = nil
                @Trimmed var text = "none"
                @Trimmed var other = make()
                var cache = 0
            }

            extension Page: DBClientCore.Stored {
                typealias PrimaryKey = Int
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "Page",
                    fields: [
                        .field(\.id, "id", primaryKey: .given),
                        .field(\.mood, "mood"),
                        .field(\.part, "part"),
                        .field(\.made, "made"),
                        .field(\.rank, "rank"),
                        .field(\.note, "note"),
                        .field(\.text, "text"),
                        .field(\.other, "other"),
                    ],
                    indexes: Self.indexes,
                    defaults: {
                        _ = Self(startingIn: &$0)
                    }
                )
                var primaryKey: PrimaryKey {
                    self.id
                }
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.id = try row.read()
                    self.mood = try row.read()
                    self.part = try row.read()
                    self.made = try row.read()
                    self.rank = try row.read()
                    self.note = try row.read()
                    self.text = try row.read()
                    self.other = try row.read()
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.id)
                    try row.write(self.mood)
                    try row.write(self.part)
                    try row.write(self.made)
                    try row.write(self.rank)
                    try row.write(self.note)
                    try row.write(self.text)
                    try row.write(self.other)
                }
                private init?(startingIn row: inout DBClientCore.Assignments<Self>) {
                    row.set(\.mood, to: self.mood)
                    row.set(\.part, to: self.part)
                    row.set(\.made, to: self.made)
                    row.set(\.rank, to: self.rank)
                    row.set(\.text, to: DBClientCore.RowReader.value("none", of: \Self.text))
                    return nil
                }
            }
            """#,
            diagnostics: [
                DiagnosticSpec(
                    message: """
                        stored values do not get the initial value of 'other' from a migration that \
                        adds it, since its attribute may change it; set it in the migration
                        """,
                    line: 9,
                    column: 18,
                    severity: .remark
                )
            ]
        )
    }
}
#endif
