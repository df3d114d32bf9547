#if Macros
import Testing

@Suite("Types that cannot be models are refused")
struct TypeDiagnosticsTests {
    @Test(
        "Only a struct can be stored or embedded",
        arguments: ["@Stored", "@Embedded"],
        [("class", "a class"), ("enum", "an enum"), ("actor", "an actor")]
    )
    func refusesOtherKinds(attribute: String, kind: (keyword: String, article: String)) {
        assertExpansion(
            """
            \(attribute)
            \(kind.keyword) Hero {
            }
            """,
            """
            \(kind.keyword) Hero {
            }
            """,
            diagnostics: [
                error(
                    """
                    '\(attribute)' needs a struct, but 'Hero' is \(kind.article); make it a struct
                    """,
                    line: 1,
                    column: 1
                )
            ]
        )
    }

    @Test("A generic struct has no one schema")
    func refusesGenericStruct() {
        assertExpansion(
            """
            @Stored struct Box<Value> {
                let id: Int
            }
            """,
            """
            struct Box<Value> {
                let id: Int
            }
            """,
            diagnostics: [
                error(
                    """
                    '@Stored' cannot be attached to the generic struct 'Box', since a generic type \
                    cannot keep one schema; declare a struct for each type of argument
                    """,
                    line: 1,
                    column: 19
                )
            ]
        )
    }

    @Test("A struct in a generic type is generic too")
    func refusesStructInGenericType() {
        assertExpansion(
            """
            enum Outer<Value> {
                @Embedded struct Box {
                    var size: Int
                }
            }
            """,
            """
            enum Outer<Value> {
                struct Box {
                    var size: Int
                }
            }
            """,
            diagnostics: [
                error(
                    """
                    '@Embedded' cannot be attached to 'Box' inside a generic type, which cannot \
                    keep one schema; move the struct out
                    """,
                    line: 2,
                    column: 22
                )
            ]
        )
    }

    @Test("A private struct in another type is out of the extension's reach")
    func refusesPrivateNestedStruct() {
        assertExpansion(
            """
            enum Outer {
                @Stored private struct Box {
                    let id: Int
                }
            }
            """,
            """
            enum Outer {
                private struct Box {
                    let id: Int
                }
            }
            """,
            diagnostics: [
                error(
                    """
                    '@Stored' cannot reach 'Box', since 'Box' is private inside another type; make \
                    'Box' 'fileprivate'
                    """,
                    line: 2,
                    column: 28,
                    fixIts: ["make it 'fileprivate'"]
                )
            ],
            fixed: """
                enum Outer {
                    @Stored fileprivate struct Box {
                        let id: Int
                    }
                }
                """
        )
    }

    @Test("A struct in a private type that is nested itself is out of reach")
    func refusesStructInPrivateNestedType() {
        assertExpansion(
            """
            enum Outer {
                private enum Middle {
                    @Stored struct Box {
                        let id: Int
                    }
                }
            }
            """,
            """
            enum Outer {
                private enum Middle {
                    struct Box {
                        let id: Int
                    }
                }
            }
            """,
            diagnostics: [
                error(
                    """
                    '@Stored' cannot reach 'Box', since 'Middle' is private inside another type; \
                    make 'Middle' 'fileprivate'
                    """,
                    line: 3,
                    column: 24
                )
            ]
        )
    }

    @Test("A struct has a row of its own or is part of another's, not both")
    func refusesBothMacros() {
        assertExpansion(
            """
            @Embedded
            @Stored
            struct Hero {
            }
            """,
            """
            struct Hero {
            }
            """,
            diagnostics: [
                error(
                    "'Hero' cannot be both '@Stored' and '@Embedded'; remove one of them",
                    line: 1,
                    column: 1
                ),
                error(
                    "'Hero' has no stored property to keep; declare one or remove '@Stored'",
                    line: 3,
                    column: 8
                ),
            ]
        )
    }

    @Test("A struct without stored properties is refused", arguments: ["@Stored", "@Embedded"])
    func refusesEmptyStruct(attribute: String) {
        assertExpansion(
            """
            \(attribute)
            struct Empty {
                static var shared = 1
                @Transient var cache = 0
                var label: String {
                    ""
                }
            }
            """,
            """
            struct Empty {
                static var shared = 1
                var cache = 0
                var label: String {
                    ""
                }
            }
            """,
            diagnostics: [
                error(
                    "'Empty' has no stored property to keep; declare one or remove '\(attribute)'",
                    line: 2,
                    column: 8
                )
            ]
        )
    }
}
#endif
