#if Macros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Unusable primary keys are refused")
struct PrimaryKeyDiagnosticsTests {
    /// Expects a model of one property, on its second line, to be refused.
    private func assertKeyRefused(
        _ property: String,
        _ stripped: String,
        diagnostics: [DiagnosticSpec],
        fixed: String? = nil
    ) {
        func model(_ attribute: String, _ property: String) -> String {
            """
            \(attribute)struct Hero {
                \(property)
            }
            """
        }
        assertExpansion(
            model("@Stored ", property),
            model("", stripped),
            diagnostics: diagnostics,
            fixed: fixed.map { model("@Stored ", $0) }
        )
    }

    @Test("A model has one")
    func refusesMissingKey() {
        assertKeyRefused(
            "var name: String",
            "var name: String",
            diagnostics: [
                error(
                    "'Hero' has no primary key; mark a property '@PrimaryKey' or name one 'id'",
                    line: 1,
                    column: 16
                )
            ]
        )
    }

    @Test("It is not optional, with sugar or without")
    func refusesOptionalKey() {
        assertKeyRefused(
            "let id: Int?",
            "let id: Int?",
            diagnostics: [
                error(
                    "the primary key 'id' cannot be optional; remove the '?'",
                    line: 2,
                    column: 13,
                    fixIts: ["remove '?'"]
                )
            ],
            fixed: "let id: Int"
        )
        for type in ["Int!", "Optional<Int>", "Swift.Optional<Int>"] {
            assertKeyRefused(
                "@PrimaryKey let number: \(type)",
                "let number: \(type)",
                diagnostics: [
                    error(
                        "the primary key 'number' cannot be optional; remove the '?'",
                        line: 2,
                        column: 29
                    )
                ]
            )
        }
    }

    @Test(
        "Its type is written where the value does not show it",
        arguments: ["make()", "1.5", ".zero", "UUID(uuidString: x)", "-x"]
    )
    func refusesUntypedKey(value: String) {
        assertKeyRefused(
            "var id = \(value)",
            "var id = \(value)",
            diagnostics: [
                error(
                    """
                    the type of the primary key 'id' cannot be told from its value; write it
                    """,
                    line: 2,
                    column: 9,
                    fixIts: ["write the type"]
                )
            ],
            fixed: "var id: <#Type#> = \(value)"
        )
    }

    @Test(
        "Its type is not called PrimaryKey itself",
        arguments: ["PrimaryKey", "Tagged<[PrimaryKey], Int>", "Tagged<PrimaryKey, Int>"]
    )
    func refusesTypeOfThatName(type: String) {
        assertKeyRefused(
            "let id: \(type)",
            "let id: \(type)",
            diagnostics: [
                error(
                    """
                    the type of 'id' has the name 'PrimaryKey' that '@Stored' declares; rename \
                    the type or write its module before it
                    """,
                    line: 2,
                    column: 13
                )
            ]
        )
    }

    @Test("Who makes it is a literal", arguments: ["generation", ".random", ".init()"])
    func refusesUnknownGeneration(argument: String) {
        assertKeyRefused(
            "@PrimaryKey(\(argument)) let id: Int",
            "let id: Int",
            diagnostics: [
                error(
                    "'@PrimaryKey' of 'id' must say '.given' or '.generated' literally",
                    line: 2,
                    column: 17
                )
            ]
        )
    }

    @Test("The store does not make a part of a composite key")
    func refusesGeneratedCompositeKey() {
        assertExpansion(
            """
            @Stored struct Enrollment {
                @PrimaryKey(.generated) let student: Int
                @PrimaryKey let course: String
            }
            """,
            """
            struct Enrollment {
                let student: Int
                let course: String
            }
            """,
            diagnostics: [
                error(
                    """
                    'student' cannot be '.generated', since it is one of several primary keys; \
                    remove '.generated' or the other '@PrimaryKey'
                    """,
                    line: 2,
                    column: 17,
                    fixIts: ["remove '(.generated)'"]
                )
            ],
            fixed: """
                @Stored struct Enrollment {
                    @PrimaryKey let student: Int
                    @PrimaryKey let course: String
                }
                """
        )
    }

    @Test("It needs no index of its own", arguments: ["@Indexed", "@Unique"])
    func warnsOfIndexOnKey(attribute: String) {
        assertExpansion(
            """
            @Stored struct Hero {
                @PrimaryKey \(attribute) let name: String
            }
            """,
            #"""
            struct Hero {
                let name: String
            }

            extension Hero: DBClientCore.Stored {
                typealias PrimaryKey = String
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "Hero",
                    fields: [
                        .field(\.name, "name", primaryKey: .given),
                    ],
                    indexes: Self.indexes
                )
                var primaryKey: PrimaryKey {
                    self.name
                }
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.init(
                        name: DBClientCore.RowReader.value(try row.read(), of: \Self.name)
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.name)
                }
            }
            """#,
            diagnostics: [
                warning(
                    """
                    '\(attribute)' is redundant on the primary key 'name', which is unique and \
                    found by an index already; remove it
                    """,
                    line: 2,
                    column: 17,
                    fixIts: ["remove '\(attribute)'"]
                )
            ],
            fixed: """
                @Stored struct Hero {
                    @PrimaryKey let name: String
                }
                """
        )
    }

    @Test("The first of several needs no plain index")
    func warnsOfIndexOnFirstKey() {
        assertExpansion(
            """
            @Stored struct Seat {
                @PrimaryKey @Indexed let row: Int
                @PrimaryKey let number: Int
            }
            """,
            """
            struct Seat {
                let row: Int
                let number: Int
            }

            \(seatExtension(rowIndex: ""))
            """,
            diagnostics: [
                warning(
                    """
                    '@Indexed' is redundant on 'row', since it leads a composite primary key that \
                    is searched by it already; remove it
                    """,
                    line: 2,
                    column: 17,
                    fixIts: ["remove '@Indexed'"]
                )
            ],
            fixed: """
                @Stored struct Seat {
                    @PrimaryKey let row: Int
                    @PrimaryKey let number: Int
                }
                """
        )
    }

    @Test("The first of several may be unique by itself")
    func acceptsUniqueFirstKey() {
        assertExpansion(
            """
            @Stored struct Seat {
                @PrimaryKey @Unique let row: Int
                @PrimaryKey let number: Int
            }
            """,
            """
            struct Seat {
                let row: Int
                let number: Int
            }

            \(seatExtension(rowIndex: ", index: .unique"))
            """
        )
    }

    private func seatExtension(rowIndex: String) -> String {
        #"""
        extension Seat: DBClientCore.Stored {
            struct PrimaryKey: DBClientCore.PrimaryKeyValue {
                let row: Int
                let number: Int
                init(row: Int, number: Int) {
                    self.row = row
                    self.number = number
                }
                static var columnCount: Swift.Int {
                    2
                }
                static var fields: [DBClientCore.SchemaField<Self>] {
                    [
                        .field(\.row, "row"),
                        .field(\.number, "number"),
                    ]
                }
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.row = try row.read()
                    self.number = try row.read()
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.row)
                    try row.write(self.number)
                }
            }
            static let schema: DBClientCore.Schema<Self> = .init(
                name: "Seat",
                fields: [
                    .field(\.row, "row", primaryKey: .given\#(rowIndex)),
                    .field(\.number, "number", primaryKey: .given),
                ],
                indexes: Self.indexes
            )
            var primaryKey: PrimaryKey {
                PrimaryKey(row: self.row, number: self.number)
            }
            @inline(__always)
            init(row: inout DBClientCore.RowReader) throws {
                self.init(
                    row: DBClientCore.RowReader.value(try row.read(), of: \Self.row),
                    number: DBClientCore.RowReader.value(try row.read(), of: \Self.number)
                )
            }
            func write(to row: inout DBClientCore.RowWriter) throws {
                try row.write(self.row)
                try row.write(self.number)
            }
        }
        """#
    }
}
#endif
