#if Macros
import Testing

@Suite("@StoredView is @Stored and @Selection in one")
struct StoredViewExpansionTests {
    @Test("Each property is a field and a column, and the type is a view")
    func makesModelAndSelection() {
        assertExpansion(
            """
            @StoredView("revenue") struct Revenue {
                @PrimaryKey let category: String
                let total: Int

                static var definition: SelectRequest<Revenue> {
                    request
                }
            }
            """,
            #"""
            struct Revenue {
                let category: String
                let total: Int

                static var definition: SelectRequest<Revenue> {
                    request
                }
            }

            extension Revenue: DBClientCore.Stored {
                typealias PrimaryKey = String
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "revenue",
                    fields: [
                        .field(\.category, "category", primaryKey: .given),
                        .field(\.total, "total"),
                    ],
                    indexes: Self.indexes
                )
                var primaryKey: PrimaryKey {
                    self.category
                }
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.init(
                        category: DBClientCore.RowReader.value(try row.read(), of: \Self.category),
                        total: DBClientCore.RowReader.value(try row.read(), of: \Self.total)
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.category)
                    try row.write(self.total)
                }
            }

            extension Revenue: DBClientCore.Selection {
                struct Columns: DBClientCore.SelectionColumns {
                    let selected: DBClientCore.SelectedRow<Revenue>

                    init(
                        category: some DBClientCore.SelectionTerm<String>,
                        total: some DBClientCore.SelectionTerm<Int>
                    ) {
                        let _column0 = category.selectedColumn
                        let _column1 = total.selectedColumn
                        self.selected = DBClientCore.SelectedRow(_column0, _column1) { row in
                            try Revenue(selecting: &row, _column0, _column1)
                        }
                    }
                }

                fileprivate init(
                    selecting row: inout DBClientCore.SelectionReader,
                    _ _column0: DBClientCore.SelectedColumn<String>,
                    _ _column1: DBClientCore.SelectedColumn<Int>
                ) throws {
                    self.category = try row.next(_column0)
                    self.total = try row.next(_column1)
                }
            }

            extension Revenue: DBClientCore.StoredView {
            }
            """#
        )
    }

    @Test("A type that is no model is no view either")
    func refusesWhatIsNoModel() {
        assertExpansion(
            """
            @StoredView struct Revenue {
                let total: Int
            }
            """,
            """
            struct Revenue {
                let total: Int
            }
            """,
            diagnostics: [
                error(
                    "'Revenue' has no primary key; mark a property '@PrimaryKey' or name one 'id'",
                    line: 1,
                    column: 20
                )
            ]
        )
    }
}
#endif
