#if Macros
import Testing

@Suite("Properties that cannot be stored are refused")
struct PropertyDiagnosticsTests {
    @Test("A constant with a value can be a variable or transient")
    func refusesConstantWithValue() {
        let diagnostics = [
            error(
                """
                the constant 'power' has an initial value and could never be read back; make it \
                'var', drop the value or mark it '@Transient'
                """,
                line: 3,
                column: 9,
                fixIts: ["make it 'var'", "mark it '@Transient'"]
            )
        ]
        assertRefused(
            "let power = 1",
            "let power = 1",
            diagnostics: diagnostics,
            applying: ["make it 'var'"],
            fixed: "var power = 1"
        )
        assertRefused(
            "let power = 1",
            "let power = 1",
            diagnostics: diagnostics,
            applying: ["mark it '@Transient'"],
            fixed: "@Transient let power = 1"
        )
    }

    @Test("A marked constant with a value can only be a variable")
    func refusesMarkedConstantWithValue() {
        assertRefused(
            "@Indexed let power: Int = 1",
            "let power: Int = 1",
            diagnostics: [
                error(
                    """
                    the constant 'power' has an initial value and could never be read back; make \
                    it 'var' or drop the value
                    """,
                    line: 3,
                    column: 18,
                    fixIts: ["make it 'var'"]
                )
            ],
            fixed: "@Indexed var power: Int = 1"
        )
    }

    @Test("A lazy property can be transient")
    func refusesLazyProperty() {
        assertRefused(
            "public lazy var heavy = make()",
            "public lazy var heavy = make()",
            diagnostics: [
                error(
                    "the lazy property 'heavy' cannot be stored; mark it '@Transient'",
                    line: 3,
                    column: 21,
                    fixIts: ["mark it '@Transient'"]
                )
            ],
            fixed: "@Transient public lazy var heavy = make()"
        )
    }

    @Test(
        "An optional of an optional has two kinds of nil",
        arguments: ["Int??", "Optional<Int?>", "(Int?)?", "Swift.Optional<Optional<Int>>", "Int?!"]
    )
    func refusesOptionalOfOptional(_ type: String) {
        assertRefused(
            "var power: \(type)",
            "var power: \(type)",
            diagnostics: [
                error(
                    """
                    'power' of type '\(type)' is an optional of an optional, whose two kinds of nil \
                    are stored alike; make it optional once or mark it '@Transient'
                    """,
                    line: 3,
                    column: 9
                )
            ]
        )
    }

    @Test("A transient property without a value or nil has nothing to start from")
    func refusesTransientWithoutDefault() {
        for keyword in ["let", "var"] {
            assertRefused(
                "@Transient \(keyword) cache: Int",
                "\(keyword) cache: Int",
                diagnostics: [
                    error(
                        """
                        'cache' is '@Transient' and has nothing to start from when it is read \
                        back; give it a default value or make it optional
                        """,
                        line: 3,
                        column: 20
                    )
                ]
            )
        }
    }

    @Test("A tuple pattern is refused")
    func refusesTuplePattern() {
        assertRefused(
            "var (x, y): (Int, Int)",
            "var (x, y): (Int, Int)",
            diagnostics: [
                error(
                    """
                    '@Stored' cannot read the tuple pattern '(x, y)'; declare each property on \
                    its own
                    """,
                    line: 3,
                    column: 9
                )
            ]
        )
    }

    @Test("A stored property in #if is refused, whatever branch it is in")
    func refusesConditionalProperty() {
        assertExpansion(
            """
            @Embedded struct Hero {
                var name: String
                #if DEBUG
                func trace() {}
                var traced: Int { 1 }
                #elseif os(Linux)
                var a, b: Int
                #endif
            }
            """,
            """
            struct Hero {
                var name: String
                #if DEBUG
                func trace() {}
                var traced: Int { 1 }
                #elseif os(Linux)
                var a, b: Int
                #endif
            }
            """,
            diagnostics: [
                error(
                    """
                    '@Embedded' cannot tell whether 'a' is compiled; move it out of '#if' or mark \
                    it '@Transient'
                    """,
                    line: 7,
                    column: 9
                ),
                error(
                    """
                    '@Embedded' cannot tell whether 'b' is compiled; move it out of '#if' or mark \
                    it '@Transient'
                    """,
                    line: 7,
                    column: 12
                ),
            ]
        )
    }

    @Test("Everything that is wrong is reported at once")
    func reportsEverything() {
        assertExpansion(
            """
            @Stored("") struct Hero {
                let power = 1
                lazy var heavy = make()
            }
            """,
            """
            struct Hero {
                let power = 1
                lazy var heavy = make()
            }
            """,
            diagnostics: [
                error(
                    """
                    the constant 'power' has an initial value and could never be read back; make \
                    it 'var', drop the value or mark it '@Transient'
                    """,
                    line: 2,
                    column: 9,
                    fixIts: ["make it 'var'", "mark it '@Transient'"]
                ),
                error(
                    "the lazy property 'heavy' cannot be stored; mark it '@Transient'",
                    line: 3,
                    column: 14,
                    fixIts: ["mark it '@Transient'"]
                ),
                error(
                    "the stored name of 'Hero' is empty; write a name or leave the default",
                    line: 1,
                    column: 9
                ),
                error(
                    "'Hero' has no primary key; mark a property '@PrimaryKey' or name one 'id'",
                    line: 1,
                    column: 20
                ),
            ]
        )
    }
}
#endif
