#if Macros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("A property is the shard key")
struct ShardKeyExpansionTests {
    @Test("The field says so")
    func passesShardKey() {
        assertExpansion(
            """
            @Stored struct Tenant {
                @ShardKey let id: Int
            }
            """,
            #"""
            struct Tenant {
                let id: Int
            }

            extension Tenant: DBClientCore.Stored {
                typealias PrimaryKey = Int
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "Tenant",
                    fields: [
                        .field(\.id, "id", primaryKey: .given).shardKey(),
                    ],
                    indexes: Self.indexes
                )
                var primaryKey: PrimaryKey {
                    self.id
                }
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.init(
                        id: DBClientCore.RowReader.value(try row.read(), of: \Self.id)
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.id)
                }
            }
            """#
        )
    }

    @Test("It is a part of the primary key")
    func refusesOtherProperty() {
        assertRefused(
            "@ShardKey var tenant: Int",
            "var tenant: Int",
            diagnostics: [
                error(
                    "the shard key 'tenant' must be a part of the primary key; mark it '@PrimaryKey' as well",
                    line: 3,
                    column: 5
                )
            ]
        )
    }

    @Test("A unique property beside it is refused")
    func refusesUnique() {
        assertExpansion(
            """
            @Stored struct Hero {
                @ShardKey let id: Int
                @Unique var name: String
            }
            """,
            """
            struct Hero {
                let id: Int
                var name: String
            }
            """,
            diagnostics: [
                error(
                    """
                    'name' cannot be unique without the shard key 'id', since a shard knows of its own rows \
                    alone; declare '.unique(\\.id, \\.name)' in 'indexes'
                    """,
                    line: 3,
                    column: 5
                )
            ]
        )
    }

    @Test("There is one")
    func refusesSecond() {
        assertExpansion(
            """
            @Stored struct Hero {
                @ShardKey @PrimaryKey let tenant: Int
                @ShardKey @PrimaryKey let number: Int
            }
            """,
            """
            struct Hero {
                let tenant: Int
                let number: Int
            }
            """,
            diagnostics: [
                error(
                    "'number' cannot be a shard key, since 'tenant' is one; remove one of them",
                    line: 3,
                    column: 5,
                    fixIts: ["remove '@ShardKey'"]
                )
            ],
            fixed: """
                @Stored struct Hero {
                    @ShardKey @PrimaryKey let tenant: Int
                    @PrimaryKey let number: Int
                }
                """
        )
    }

    @Test("An embedded struct has none")
    func refusesEmbedded() {
        assertExpansion(
            """
            @Embedded struct Place {
                @ShardKey var tenant: Int
            }
            """,
            """
            struct Place {
                var tenant: Int
            }
            """,
            diagnostics: [
                error(
                    """
                    'tenant' cannot be a shard key, since an '@Embedded' value is part of its owner's row; \
                    remove '@ShardKey'
                    """,
                    line: 2,
                    column: 5,
                    fixIts: ["remove '@ShardKey'"]
                )
            ],
            fixed: """
                @Embedded struct Place {
                    var tenant: Int
                }
                """
        )
    }
}
#endif
