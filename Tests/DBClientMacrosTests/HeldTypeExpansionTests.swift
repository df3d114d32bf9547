#if Macros
import Testing

@Suite("Collections that are no relationships")
struct HeldTypeExpansionTests {
    @Test("Those that may hold models are looked at by the compiler")
    func checksHeldTypes() {
        assertExpansion(
            """
            @Embedded struct Notes {
                var texts: [String]?
                var list: [Note]
                var perhaps: [Note]?
                var named: [String: Note]
                var references: Set<Reference<Note>>
                var nested: [[Note]]
                var referred: References<Note>?
            }
            """,
            #"""
            struct Notes {
                var texts: [String]?
                var list: [Note]
                var perhaps: [Note]?
                var named: [String: Note]
                var references: Set<Reference<Note>>
                var nested: [[Note]]
                var referred: References<Note>?
            }

            extension Notes: DBClientCore.EmbeddedValue {
                static let schema: DBClientCore.EmbeddedSchema<Self> = .init(
                    fields: [
                        .field(\.texts, "texts"),
                        .field(\.list, "list"),
                        .field(\.perhaps, "perhaps"),
                        .field(\.named, "named"),
                        .field(\.references, "references"),
                        .field(\.nested, "nested"),
                        .field(\.referred, "referred"),
                    ]
                )
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.init(
                        texts: DBClientCore.RowReader.value(try row.read(), of: \Self.texts),
                        list: DBClientCore.RowReader.value(try row.read(), of: \Self.list),
                        perhaps: DBClientCore.RowReader.value(try row.read(), of: \Self.perhaps),
                        named: DBClientCore.RowReader.value(try row.read(), of: \Self.named),
                        references: DBClientCore.RowReader.value(try row.read(), of: \Self.references),
                        nested: DBClientCore.RowReader.value(try row.read(), of: \Self.nested),
                        referred: DBClientCore.RowReader.value(try row.read(), of: \Self.referred)
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.texts)
                    try row.write(self.list)
                    try row.write(self.perhaps)
                    try row.write(self.named)
                    try row.write(self.references)
                    try row.write(self.nested)
                    try row.write(self.referred)
                }
                private static func checkHeldTypes() {
                    let type0 = DBClientCore.HeldType.of(\Self.perhaps)
                    DBClientCore.HeldType.check(type0)
                    let type1 = DBClientCore.HeldType.of(\Self.named)
                    DBClientCore.HeldType.check(type1)
                    let type2 = DBClientCore.HeldType.of(\Self.references)
                    DBClientCore.HeldType.check(type2)
                    let type3 = DBClientCore.HeldType.of(\Self.nested)
                    DBClientCore.HeldType.check(type3)
                    let type4 = DBClientCore.HeldType.of(\Self.referred)
                    DBClientCore.HeldType.check(type4)
                }
            }
            """#
        )
    }
}
#endif
