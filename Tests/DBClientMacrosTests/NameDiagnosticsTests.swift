#if Macros
import Testing

@Suite("Stored names that no store keeps are refused")
struct NameDiagnosticsTests {
    private static let longName = String(repeating: "n", count: 64)
    /// 62 bytes in 31 characters, and two more.
    private static let wideName = String(repeating: "é", count: 31) + "nn"

    /// The literal of a name and what is said about it when it is given to `email`.
    private static let badNames = [
        ("\"\"", "is empty; write a name or leave the default"),
        (#""a\0b""#, "contains NUL, which no store accepts; remove it"),
        (#""a\u{0}b""#, "contains NUL, which no store accepts; remove it"),
        (#""a\(1)""#, "must be a plain string literal; write it out without interpolation"),
        ("name", "must be a plain string literal; write it out without interpolation"),
        ("\"a\" + \"b\"", "must be a plain string literal; write it out without interpolation"),
        (
            "\"\(longName)\"",
            "is 64 bytes of UTF-8, and the limit is 63; give a shorter one with '%@'"
        ),
        (
            "\"\(wideName)\"",
            "is 64 bytes of UTF-8, and the limit is 63; give a shorter one with '%@'"
        ),
    ]

    private func message(_ message: String, _ attribute: String) -> String {
        message.split(separator: "%@", omittingEmptySubsequences: false).joined(
            separator: attribute
        )
    }

    @Test("Of a property", arguments: badNames)
    func refusesPropertyName(literal: String, problem: String) {
        assertRefused(
            "@StoredName(\(literal)) var email: String",
            "var email: String",
            diagnostics: [
                error(
                    "the stored name of 'email' \(message(problem, "@StoredName"))",
                    line: 3,
                    column: 17
                )
            ]
        )
    }

    @Test("Of a type", arguments: badNames)
    func refusesTypeName(literal: String, problem: String) {
        assertExpansion(
            """
            @Stored(\(literal)) struct Hero {
                let id: Int
            }
            """,
            """
            struct Hero {
                let id: Int
            }
            """,
            diagnostics: [
                error(
                    "the stored name of 'Hero' \(message(problem, "@Stored"))",
                    line: 1,
                    column: 9
                )
            ]
        )
    }

    @Test("That come from the declaration itself")
    func refusesLongIdentifiers() {
        let name = Self.longName
        assertExpansion(
            """
            @Stored struct \(name) {
                let id: Int
                var \(name): Int
            }
            """,
            """
            struct \(name) {
                let id: Int
                var \(name): Int
            }
            """,
            diagnostics: [
                error(
                    """
                    the stored name of '\(name)' is 64 bytes of UTF-8, and the limit is 63; give \
                    a shorter one with '@StoredName'
                    """,
                    line: 3,
                    column: 9
                ),
                error(
                    """
                    the stored name of '\(name)' is 64 bytes of UTF-8, and the limit is 63; give \
                    a shorter one with '@Stored'
                    """,
                    line: 1,
                    column: 16
                ),
            ]
        )
    }

    @Test("A name of exactly 63 bytes is kept")
    func acceptsLongestName() {
        let name = String(Self.longName.dropLast())
        assertExpansion(
            """
            @Embedded struct Hero {
                @StoredName("\(name)") var name: String
            }
            """,
            #"""
            struct Hero {
                var name: String
            }

            extension Hero: DBClientCore.EmbeddedValue {
                static let schema: DBClientCore.EmbeddedSchema<Self> = .init(
                    fields: [
                        .field(\.name, "\#(name)"),
                    ]
                )
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
            """#
        )
    }

    @Test(
        "Two properties have two names, upper and lower case being the same",
        arguments: ["ID", "id"]
    )
    func refusesDuplicates(name: String) {
        assertRefused(
            "@StoredName(\"\(name)\") var name: String",
            "var name: String",
            diagnostics: [
                error(
                    """
                    'id' and 'name' are both stored as '\(name)', upper and lower case being the \
                    same; give one another '@StoredName'
                    """,
                    line: 3,
                    column: 5
                )
            ]
        )
    }

    @Test("Two properties whose own names differ in case only are refused at the second")
    func refusesDuplicateIdentifiers() {
        assertRefused(
            "var Id: Int",
            "var Id: Int",
            diagnostics: [
                error(
                    """
                    'id' and 'Id' are both stored as 'Id', upper and lower case being the same; \
                    give one another '@StoredName'
                    """,
                    line: 3,
                    column: 9
                )
            ]
        )
    }
}
#endif
