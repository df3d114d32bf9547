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
                static let schema = DBClientCore.Schema<Self>(
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
                @Transient var age = 1
                var name: String
            }
            """,
            #"""
            struct Page {
                let id: Int
                let note: String?
                var age = 1
                var name: String
            }

            extension Page: DBClientCore.Stored {
                typealias PrimaryKey = Int
                static let schema = DBClientCore.Schema<Self>(
                    name: "Page",
                    fields: [
                        .field(\.id, "id", primaryKey: .given),
                        .field(\.name, "name"),
                    ],
                    indexes: Self.indexes
                )
                var primaryKey: PrimaryKey {
                    self.id
                }
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.init(
                        id: try row.read(),
                        note: nil,
                        name: try row.read()
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.id)
                    try row.write(self.name)
                }
            }
            """#
        )
    }

    @Test(
        "Properties are set one by one where the compiler's initializer is missing or another one",
        arguments: [
            "init() {}", "#if DEBUG\n    init() {}\n    #endif", "private var name = \"\"",
            "@Trimmed var name: String",
        ]
    )
    func setsPropertiesOneByOne(member: String) {
        let name = member.contains(" name") ? "" : "\n    var name: String"
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
                \#(member)
            }

            extension Page: DBClientCore.Stored {
                typealias PrimaryKey = Int
                static let schema = DBClientCore.Schema<Self>(
                    name: "Page",
                    fields: [
                        .field(\.id, "id", primaryKey: .given),
                        .field(\.name, "name"),
                    ],
                    indexes: Self.indexes
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
                }
            }
            """#
        )
    }
}
#endif
