#if Macros
import Testing

@Suite("A property says that it is searched")
struct SearchExpansionTests {
    @Test("The weight is passed on as it is written")
    func passesWeight() {
        assertExpansion(
            """
            @Stored struct Note {
                let id: Int
                @Indexed @Searchable(weight: 2 + 1) var title: String
                @Searchable var body: String
            }
            """,
            #"""
            struct Note {
                let id: Int
                var title: String
                var body: String
            }

            extension Note: DBClientCore.Stored {
                typealias PrimaryKey = Int
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "Note",
                    fields: [
                        .field(\.id, "id", primaryKey: .given),
                        .field(\.title, "title", index: .plain).searchable(weight: 2 + 1),
                        .field(\.body, "body").searchable(),
                    ],
                    indexes: Self.indexes
                )
                var primaryKey: PrimaryKey {
                    self.id
                }
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.init(
                        id: DBClientCore.RowReader.value(try row.read(), of: \Self.id),
                        title: DBClientCore.RowReader.value(try row.read(), of: \Self.title),
                        body: DBClientCore.RowReader.value(try row.read(), of: \Self.body)
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.id)
                    try row.write(self.title)
                    try row.write(self.body)
                }
            }
            """#
        )
    }
}
#endif
