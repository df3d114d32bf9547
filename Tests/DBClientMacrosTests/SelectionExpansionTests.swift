#if Macros
import Testing

@Suite("@Selection writes what each property is read from")
struct SelectionExpansionTests {
    @Test("Every stored property without an initial value is a column")
    func readsStoredProperties() {
        assertExpansion(
            """
            @Selection public struct Row: Equatable {
                public let name: String
                public var first, `default`: Int?
                public let kind = 1
                static let none = 0
                var isEmpty: Bool { name.isEmpty }
            }
            """,
            """
            public struct Row: Equatable {
                public let name: String
                public var first, `default`: Int?
                public let kind = 1
                static let none = 0
                var isEmpty: Bool { name.isEmpty }
            }

            extension Row: DBClientCore.Selection {
                public struct Columns: DBClientCore.SelectionColumns {
                    public let selected: DBClientCore.SelectedRow<Row>

                    public init(
                        name: some DBClientCore.SelectionTerm<String>,
                        first: some DBClientCore.SelectionTerm<Int?>,
                        `default`: some DBClientCore.SelectionTerm<Int?>
                    ) {
                        let _column0 = name.selectedColumn
                        let _column1 = first.selectedColumn
                        let _column2 = `default`.selectedColumn
                        self.selected = DBClientCore.SelectedRow(_column0, _column1, _column2) { row in
                            try Row(selecting: &row, _column0, _column1, _column2)
                        }
                    }
                }

                fileprivate init(
                    selecting row: inout DBClientCore.SelectionReader,
                    _ _column0: DBClientCore.SelectedColumn<String>,
                    _ _column1: DBClientCore.SelectedColumn<Int?>,
                    _ _column2: DBClientCore.SelectedColumn<Int?>
                ) throws {
                    self.name = try row.next(_column0)
                    self.first = try row.next(_column1)
                    self.`default` = try row.next(_column2)
                }
            }
            """
        )
    }

    @Test("A property that others do not see is no argument of a public initializer")
    func hidesArguments() {
        assertExpansion(
            """
            @Selection public struct Row {
                let name: String
            }
            """,
            """
            public struct Row {
                let name: String
            }

            extension Row: DBClientCore.Selection {
                public struct Columns: DBClientCore.SelectionColumns {
                    public let selected: DBClientCore.SelectedRow<Row>

                    init(
                        name: some DBClientCore.SelectionTerm<String>
                    ) {
                        let _column0 = name.selectedColumn
                        self.selected = DBClientCore.SelectedRow(_column0) { row in
                            try Row(selecting: &row, _column0)
                        }
                    }
                }

                fileprivate init(
                    selecting row: inout DBClientCore.SelectionReader,
                    _ _column0: DBClientCore.SelectedColumn<String>
                ) throws {
                    self.name = try row.next(_column0)
                }
            }
            """
        )
    }

    @Test("Only a struct with properties to be read has columns")
    func refusesOthers() {
        expectRefusal(
            """
            enum Row {
                case a
            }
            """,
            "'@Selection' needs a struct that is not generic, but 'Row' is an enum"
        )
        expectRefusal(
            """
            struct Row {
                let kind = 1
            }
            """,
            "'@Selection' needs a stored property without an initial value, but 'Row' has none"
        )
    }

    private func expectRefusal(_ declaration: String, _ message: String) {
        assertExpansion(
            "@Selection \(declaration)",
            declaration,
            diagnostics: [error(message, line: 1, column: 1)]
        )
    }
}
#endif
