#if Macros
import Testing

@Suite("A property says how its columns keep it")
struct FormatExpansionTests {
    @Test("The format is passed on as it is written")
    func passesFormat() {
        assertExpansion(
            """
            @Stored struct Invoice {
                let id: Int
                @Indexed @StoredAs(.integer(fractionDigits: 2)) var total: Decimal
            }
            """,
            #"""
            struct Invoice {
                let id: Int
                var total: Decimal
            }

            extension Invoice: DBClientCore.Stored {
                typealias PrimaryKey = Int
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "Invoice",
                    fields: [
                        .field(\.id, "id", primaryKey: .given),
                        .field(\.total, "total", index: .plain).stored(as: .integer(fractionDigits: 2)),
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
                        total: DBClientCore.RowReader.value(try row.read(), of: \Self.total)
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.id)
                    try row.write(self.total)
                }
            }
            """#
        )
    }
}
#endif
