#if Macros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Markers that the type does not go with are refused")
struct MarkedTypeDiagnosticsTests {
    @Test(
        "A collection has no index",
        arguments: ["@Indexed", "@Unique"],
        [
            (": [String]", "list"), (": [String]?", "list"), (": [[Int]]", "list"),
            (": Array<Hero>", "list"), (": Swift.Array<Int>!", "list"), (": ([Int])?", "list"),
            (": Optional<[Int]>", "list"), (" = [1, 2]", "list"), (" = [Int]()", "list"),
            (": Set<Int>", "set"), (": Set<Int>?", "set"), (" = Set<Int>()", "set"),
            (": [String: Int]", "dictionary"), (": [String: [Int]]?", "dictionary"),
            (": Dictionary<String, Int>", "dictionary"), (" = [\"a\": 1]", "dictionary"),
            (" = [String: Int]()", "dictionary"),
        ]
    )
    func refusesIndexOfCollection(attribute: String, property: (rest: String, kind: String)) {
        assertRefused(
            "\(attribute) var tags\(property.rest)",
            "var tags\(property.rest)",
            diagnostics: [
                error(
                    """
                    'tags' cannot be '\(attribute)', since no store keeps an index by a \
                    \(property.kind); remove '\(attribute)'
                    """,
                    line: 3,
                    column: 5,
                    fixIts: ["remove '\(attribute)'"]
                )
            ],
            fixed: "var tags\(property.rest)"
        )
    }

    @Test("What only resembles a collection has an index")
    func acceptsOtherTypes() {
        assertExpansion(
            """
            @Embedded struct Owner {
                @Indexed var set: Set
                @Indexed var list: Other.Array<Int>
                @Unique var box: Box<[Int]>?
                @Indexed var first = [1, 2].count
                @Transient @Other var tags: [String] = []
            }
            """,
            #"""
            struct Owner {
                var set: Set
                var list: Other.Array<Int>
                var box: Box<[Int]>?
                var first = [1, 2].count
                @Other var tags: [String] = []
            }

            extension Owner: DBClientCore.EmbeddedValue {
                static let schema: DBClientCore.EmbeddedSchema<Self> = .init(
                    fields: [
                        .field(\.set, "set", index: .plain),
                        .field(\.list, "list", index: .plain),
                        .field(\.box, "box", index: .unique),
                        .field(\.first, "first", index: .plain),
                    ],
                    defaults: {
                        _ = try Self(startingIn: &$0)
                    }
                )
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.set = try row.read()
                    self.list = try row.read()
                    self.box = try row.read()
                    self.first = try row.read()
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.set)
                    try row.write(self.list)
                    try row.write(self.box)
                    try row.write(self.first)
                }
                private init?(startingIn row: inout DBClientCore.StartingValues<Self>) throws {
                    do {
                        let value = self.first
                        try row.set(\.first) {
                            try $0.write(value)
                        }
                    }
                    return nil
                }
            }
            """#
        )
    }

    @Test(
        "A collection is no primary key",
        arguments: [
            ("[Int]", "list"), ("Set<String>", "set"), ("[String: Int]", "dictionary"),
        ]
    )
    func refusesCollectionAsKey(type: String, kind: String) {
        func diagnostics(_ property: String, column: Int) -> [DiagnosticSpec] {
            [
                error(
                    """
                    the primary key '\(property)' cannot be a \(kind); give it a single value, or \
                    mark several properties '@PrimaryKey'
                    """,
                    line: 2,
                    column: column
                )
            ]
        }
        assertExpansion(
            """
            @Stored struct Hero {
                @PrimaryKey let parts: \(type)
                @PrimaryKey let number: Int
            }
            """,
            """
            struct Hero {
                let parts: \(type)
                let number: Int
            }
            """,
            diagnostics: diagnostics("parts", column: 28)
        )
        assertExpansion(
            """
            @Stored struct Hero {
                let id: \(type)
            }
            """,
            """
            struct Hero {
                let id: \(type)
            }
            """,
            diagnostics: diagnostics("id", column: 13)
        )
    }

    @Test(
        "Values are no relationship",
        arguments: [
            "String", "Int?", "Double", "Bool", "Date", "Foundation.Date?", "Data", "Swift.UInt8",
            "UUID", "Optional<UUID>", "URL", "Decimal!", "[String]", "[Int]?", "Set<UUID>",
            "Array<String?>", "[String: Int]",
        ]
    )
    func refusesRelationshipOfValues(type: String) {
        assertRefused(
            "@Relationship(onDelete: .cascade) var name: \(type)",
            "var name: \(type)",
            diagnostics: [
                error(
                    """
                    '@Relationship' marks a property that holds other models, but 'name' holds \
                    '\(type)'; remove it
                    """,
                    line: 3,
                    column: 5,
                    fixIts: ["remove '@Relationship'"]
                )
            ],
            fixed: "var name: \(type)"
        )
    }

    @Test(
        "Models are a relationship, whatever their names resemble",
        arguments: [
            "Team", "Team?", "[Team]", "Set<Team>", "Reference<Data>?", "Own.Data", "Box<Int>",
        ]
    )
    func acceptsRelationship(type: String) {
        assertExpansion(
            """
            @Stored struct Hero {
                let id: Int
                @Relationship(onDelete: .cascade) var team: \(type)
            }
            """,
            #"""
            struct Hero {
                let id: Int
                var team: \#(type)
            }

            extension Hero: DBClientCore.Stored {
                typealias PrimaryKey = Int
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "Hero",
                    fields: [
                        .field(\.id, "id", primaryKey: .given),
                        .field(\.team, "team", onDelete: .cascade),
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
                        team: DBClientCore.RowReader.value(try row.read(), of: \Self.team)
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.id)
                    try row.write(self.team)
                }
            }
            """#
        )
    }

    @Test("An embedded value has no relationship")
    func refusesRelationshipInEmbedded() {
        assertExpansion(
            """
            @Embedded struct Place {
                var city: String
                @Relationship(onDelete: .deny) var owner: Hero?
            }
            """,
            """
            struct Place {
                var city: String
                var owner: Hero?
            }
            """,
            diagnostics: [
                error(
                    """
                    'owner' cannot be a relationship, since an '@Embedded' value has none; move it to \
                    the owner
                    """,
                    line: 3,
                    column: 5
                )
            ]
        )
    }
}
#endif
