#if Macros
import Testing

@Suite("Markers out of place are refused")
struct MarkerDiagnosticsTests {
    private static let attributes = [
        "@PrimaryKey", "@Indexed", "@Unique", "@Transient", "@StoredName(\"x\")",
        "@StoredAs(.day)", "@Searchable", "@Searchable(weight: 3)",
    ]

    private func bareName(_ attribute: String) -> String {
        String(attribute.prefix { $0 != "(" })
    }

    /// Expects a marker to be refused where it stands, whatever the type.
    private func assertMisplaced(
        _ attribute: String,
        on declaration: String,
        _ message: String
    ) {
        let name = bareName(attribute)
        assertExpansion(
            """
            struct Plain {
                \(attribute) \(declaration)
            }
            """,
            """
            struct Plain {
                \(declaration)
            }
            """,
            diagnostics: [
                error(
                    "'\(name)' marks a stored property, but \(message); remove it",
                    line: 2,
                    column: 5,
                    fixIts: ["remove '\(name)'"]
                )
            ],
            fixed: """
                struct Plain {
                    \(declaration)
                }
                """
        )
    }

    @Test("No marker on a computed property", arguments: attributes)
    func refusesComputedProperty(attribute: String) {
        assertMisplaced(
            attribute,
            on: "var label: String { \"\" }",
            "'label' is computed and never stored"
        )
        assertMisplaced(
            attribute,
            on: "var label: String { get { \"\" } }",
            "'label' is computed and never stored"
        )
    }

    @Test("No marker on a static property", arguments: attributes)
    func refusesStaticProperty(attribute: String) {
        assertMisplaced(
            attribute,
            on: "static var `default` = 1",
            "'default' is static and never stored"
        )
    }

    @Test("No marker on what is not a property", arguments: attributes)
    func refusesOtherDeclarations(attribute: String) {
        assertExpansion(
            """
            @Embedded struct Hero {
                var name: String
                \(attribute) func save() {
                }
            }
            """,
            #"""
            struct Hero {
                var name: String
                func save() {
                }
            }

            extension Hero: DBClientCore.EmbeddedValue {
                static let schema: DBClientCore.EmbeddedSchema<Self> = .init(
                    fields: [
                        .field(\.name, "name"),
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
            """#,
            diagnostics: [
                error(
                    """
                    '\(bareName(attribute))' marks a stored property; remove it from this \
                    declaration
                    """,
                    line: 3,
                    column: 5,
                    fixIts: ["remove '\(bareName(attribute))'"]
                )
            ],
            fixed: """
                @Embedded struct Hero {
                    var name: String
                    func save() {
                    }
                }
                """
        )
    }

    @Test("A marker in a type that is no model does nothing, and says so", arguments: attributes)
    func warnsOutsideModel(attribute: String) {
        let name = bareName(attribute)
        assertExpansion(
            """
            enum Outer {
                struct Hero {
                    \(attribute) var name = ""
                }
            }
            """,
            """
            enum Outer {
                struct Hero {
                    var name = ""
                }
            }
            """,
            diagnostics: [
                warning(
                    """
                    '\(name)' on 'name' does nothing, since the type is neither '@Stored' nor \
                    '@Embedded'; mark the type or remove it
                    """,
                    line: 3,
                    column: 9,
                    fixIts: ["remove '\(name)'"]
                )
            ],
            fixed: """
                enum Outer {
                    struct Hero {
                        var name = ""
                    }
                }
                """
        )
    }

    @Test(
        "A transient property has no other marker",
        arguments: ["@PrimaryKey", "@Indexed", "@Unique", "@StoredName(\"x\")"]
    )
    func refusesMarkersOfTransient(attribute: String) {
        let name = bareName(attribute)
        let diagnostics = [
            error(
                "'cache' cannot be both '\(name)' and '@Transient'; remove one of them",
                line: 3,
                column: 5,
                fixIts: ["remove '\(name)'", "remove '@Transient'"]
            )
        ]
        assertRefused(
            "\(attribute) @Transient var cache = 0",
            "var cache = 0",
            diagnostics: diagnostics,
            applying: ["remove '\(name)'"],
            fixed: "@Transient var cache = 0"
        )
        assertRefused(
            "\(attribute) @Transient var cache = 0",
            "var cache = 0",
            diagnostics: diagnostics,
            applying: ["remove '@Transient'"],
            fixed: "\(attribute) var cache = 0"
        )
    }

    @Test("A marker stands once")
    func refusesRepeatedMarker() {
        assertRefused(
            "@Indexed @Indexed var name: String",
            "var name: String",
            diagnostics: [
                error(
                    "'name' is marked '@Indexed' twice; remove one of them",
                    line: 3,
                    column: 14,
                    fixIts: ["remove '@Indexed'"]
                )
            ],
            fixed: "@Indexed var name: String"
        )
    }

    @Test(
        "A marker in #if is refused, whatever branch it is in",
        arguments: ["@Indexed", "@Unique", "@PrimaryKey", "@Transient", "@StoredName(\"n\")"]
    )
    func refusesConditionalMarker(attribute: String) {
        let name = attribute.prefix { $0 != "(" }
        let message = """
            a macro cannot tell whether '\(name)' of 'name' is compiled; move it out of '#if'
            """
        assertExpansion(
            """
            @Stored struct Hero {
                let id: Int
                #if DEBUG
                #if os(Linux)
                \(attribute)
                #endif
                #else
                @available(*, deprecated)
                \(attribute)
                #endif
                var name: String
            }
            """,
            """
            struct Hero {
                let id: Int
                #if DEBUG
                #if os(Linux)
                \(attribute)
                #endif
                #else
                @available(*, deprecated)
                \(attribute)
                #endif
                var name: String
            }
            """,
            diagnostics: [
                error(message, line: 5, column: 5), error(message, line: 9, column: 5),
            ]
        )
    }

    @Test("A unique property needs no second index")
    func warnsOfIndexedUnique() {
        assertExpansion(
            """
            @Embedded struct Contact {
                /// Where to write.
                @Indexed
                @Unique
                var email: String
            }
            """,
            #"""
            struct Contact {
                /// Where to write.
                var email: String
            }

            extension Contact: DBClientCore.EmbeddedValue {
                static let schema: DBClientCore.EmbeddedSchema<Self> = .init(
                    fields: [
                        .field(\.email, "email", index: .unique),
                    ]
                )
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.init(
                        email: DBClientCore.RowReader.value(try row.read(), of: \Self.email)
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.email)
                }
            }
            """#,
            diagnostics: [
                warning(
                    "'@Indexed' is redundant on 'email', since '@Unique' keeps an index; remove it",
                    line: 3,
                    column: 5,
                    fixIts: ["remove '@Indexed'"]
                )
            ],
            fixed: """
                @Embedded struct Contact {
                    /// Where to write.
                    @Unique
                    var email: String
                }
                """
        )
    }
}
#endif
