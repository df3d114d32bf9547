#if Macros
import Testing

@Suite("@Embedded writes the conformance")
struct EmbeddedExpansionTests {
    @Test("Every stored property is a field, also one named id, and none is a key")
    func mapsStoredProperties() {
        assertExpansion(
            """
            @Embedded public struct Appearance {
                public var id: Int
                @Indexed @StoredName("published") public var year = 1962
                @Transient var cache: Int?
            }
            """,
            #"""
            public struct Appearance {
                public var id: Int
                public var year = 1962
                var cache: Int?
            }

            extension Appearance: DBClientCore.EmbeddedValue {
                public static let schema: DBClientCore.EmbeddedSchema<Self> = .init(
                    fields: [
                        .field(\.id, "id"),
                        .field(\.year, "published", index: .plain),
                    ],
                    defaults: {
                        _ = try Self(startingIn: &$0)
                    }
                )
                @inline(__always)
                public init(row: inout DBClientCore.RowReader) throws {
                    self.init(
                        id: DBClientCore.RowReader.value(try row.read(), of: \Self.id),
                        year: DBClientCore.RowReader.value(try row.read(), of: \Self.year),
                        cache: DBClientCore.RowReader.value(nil, of: \Self.cache)
                    )
                }
                public func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.id)
                    try row.write(self.year)
                }
                private init?(startingIn row: inout DBClientCore.StartingValues<Self>) throws {
                    do {
                        let value = self.year
                        try row.set(\.year) {
                            try $0.write(value)
                        }
                    }
                    return nil
                }
            }
            """#
        )
    }

    @Test("A primary key inside is refused")
    func refusesPrimaryKey() {
        assertExpansion(
            """
            @Embedded struct Appearance {
                @PrimaryKey let issue: Int
            }
            """,
            """
            struct Appearance {
                let issue: Int
            }
            """,
            diagnostics: [
                error(
                    """
                    'issue' cannot be a primary key, since an '@Embedded' value is part of its \
                    owner's row; remove '@PrimaryKey'
                    """,
                    line: 2,
                    column: 5,
                    fixIts: ["remove '@PrimaryKey'"]
                )
            ],
            fixed: """
                @Embedded struct Appearance {
                    let issue: Int
                }
                """
        )
    }
}
#endif
