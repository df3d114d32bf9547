#if Macros
import SwiftSyntaxMacroExpansion
import Testing

@testable import DBClientMacros

@Suite("@Stored makes values from rows")
struct InitializerExpansionTests {
    @Test("A transient optional without a value starts from nil, whatever its spelling")
    func setsTransientOptionals() {
        assertExpansion(
            """
            @Stored struct Cached {
                let id: Int
                @Transient let note: String?
                @Transient var size: Swift.Optional<Int>
                @Transient var age: Optional<Int> = 1
                @Transient lazy var heavy = make()
                @Transient var (x, y) = (1, 2)
                #if DEBUG
                @Transient var trace = ""
                #endif
            }
            """,
            #"""
            struct Cached {
                let id: Int
                let note: String?
                var size: Swift.Optional<Int>
                var age: Optional<Int> = 1
                lazy var heavy = make()
                var (x, y) = (1, 2)
                #if DEBUG
                var trace = ""
                #endif
            }

            extension Cached: DBClientCore.Stored {
                typealias PrimaryKey = Int
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "Cached",
                    fields: [
                        .field(\.id, "id", primaryKey: .given),
                    ],
                    indexes: Self.indexes
                )
                var primaryKey: PrimaryKey {
                    self.id
                }
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.id = try row.read()
                    self.note = nil
                    self.size = nil
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.id)
                }
            }
            """#
        )
    }

    @Test("The compiler's own initializer gets its arguments in the order of declaration")
    func callsMemberwiseInitializer() {
        assertExpansion(
            """
            @Stored struct Page {
                let id: Int
                @Transient let note: String?
                @Transient let version = 2
                @Transient var age = -1
                @Transient var tags: Set<String> = []
                var name: String!
                var level = Level.low
            }
            """,
            #"""
            struct Page {
                let id: Int
                let note: String?
                let version = 2
                var age = -1
                var tags: Set<String> = []
                var name: String!
                var level = Level.low
            }

            extension Page: DBClientCore.Stored {
                typealias PrimaryKey = Int
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "Page",
                    fields: [
                        .field(\.id, "id", primaryKey: .given),
                        .field(\.name, "name"),
                        .field(\.level, "level"),
                    ],
                    indexes: Self.indexes,
                    defaults: {
                        _ = Self(startingIn: &$0)
                    }
                )
                var primaryKey: PrimaryKey {
                    self.id
                }
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.init(
                        id: DBClientCore.RowReader.value(try row.read(), of: \Self.id),
                        note: DBClientCore.RowReader.value(nil, of: \Self.note),
                        age: DBClientCore.RowReader.value(-1, of: \Self.age),
                        tags: DBClientCore.RowReader.value([], of: \Self.tags),
                        name: DBClientCore.RowReader.value(try row.read(), of: \Self.name),
                        level: DBClientCore.RowReader.value(try row.read(), of: \Self.level)
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.id)
                    try row.write(self.name)
                    try row.write(self.level)
                }
                private init?(startingIn row: inout DBClientCore.Assignments<Self>) {
                    row.set(\.level, to: self.level)
                    return nil
                }
            }
            """#
        )
    }

    @Test(
        "Properties are set one by one where no initializer or another than the compiler's is called",
        arguments: [
            "init() {}", "#if DEBUG\n    init() {}\n    #endif", "private var name = \"\"",
            "@Trimmed var name: String", "@Transient var made = make()",
            "@Transient var made: some Any = 1", #"@Transient var made = "\(1)""#,
        ]
    )
    func setsPropertiesOneByOne(member: String) {
        let name = member.contains(" name") ? "" : "\n    var name: String"
        let stripped = member.hasPrefix("@Transient ") ? String(member.dropFirst(11)) : member
        let defaults =
            member.hasPrefix("private")
            ? #"""
            ,
                    defaults: {
                        _ = Self(startingIn: &$0)
                    }
            """# : ""
        let starting =
            member.hasPrefix("private")
            ? #"""

                private init?(startingIn row: inout DBClientCore.Assignments<Self>) {
                    row.set(\.name, to: self.name)
                    return nil
                }
            """# : ""
        assertExpansion(
            """
            @Stored struct Page {
                let id: Int\(name)
                \(member)
            }
            """,
            #"""
            struct Page {
                let id: Int\#(name)
                \#(stripped)
            }

            extension Page: DBClientCore.Stored {
                typealias PrimaryKey = Int
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "Page",
                    fields: [
                        .field(\.id, "id", primaryKey: .given),
                        .field(\.name, "name"),
                    ],
                    indexes: Self.indexes\#(defaults)
                )
                var primaryKey: PrimaryKey {
                    self.id
                }
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.id = try row.read()
                    self.name = try row.read()
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.id)
                    try row.write(self.name)
                }\#(starting)
            }
            """#
        )
    }
}
#endif
