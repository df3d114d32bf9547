#if Macros
import SwiftDiagnostics
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import DBClientMacros

@Suite("@Stored writes the conformance")
struct StoredExpansionTests {
    @Test("Each stored property becomes a field in declaration order")
    func mapsStoredProperties() {
        assertExpansion(
            """
            @Stored struct Character {
                @PrimaryKey let identifier: Int
                @Indexed var name: String
                @Unique @StoredName("e_mail") var email: String?
                @Transient var cache = 0
            }
            """,
            #"""
            struct Character {
                let identifier: Int
                var name: String
                var email: String?
                var cache = 0
            }

            extension Character: DBClientCore.Stored {
                typealias PrimaryKey = Int
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "Character",
                    fields: [
                        .field(\.identifier, "identifier", primaryKey: .given),
                        .field(\.name, "name", index: .plain),
                        .field(\.email, "e_mail", index: .unique),
                    ],
                    indexes: Self.indexes
                )
                var primaryKey: PrimaryKey {
                    self.identifier
                }
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.init(
                        identifier: DBClientCore.RowReader.value(try row.read(), of: \Self.identifier),
                        name: DBClientCore.RowReader.value(try row.read(), of: \Self.name),
                        email: DBClientCore.RowReader.value(try row.read(), of: \Self.email),
                        cache: DBClientCore.RowReader.value(0, of: \Self.cache)
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.identifier)
                    try row.write(self.name)
                    try row.write(self.email)
                }
            }
            """#
        )
    }

    @Test("The stored name of the type is the one given, escaped where it must be")
    func usesGivenName() {
        assertExpansion(
            #"""
            @Stored("say \"hi\"") struct Greeting {
                @DBClientCore.PrimaryKey(.generated) let number: Int
                @DBClientCore.StoredName(#"a\b"#) var path: String
            }
            """#,
            ##"""
            struct Greeting {
                @DBClientCore.PrimaryKey(.generated) let number: Int
                @DBClientCore.StoredName(#"a\b"#) var path: String
            }

            extension Greeting: DBClientCore.Stored {
                typealias PrimaryKey = Int
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: #"say "hi""#,
                    fields: [
                        .field(\.number, "number", primaryKey: .generated),
                        .field(\.path, #"a\b"#),
                    ],
                    indexes: Self.indexes
                )
                var primaryKey: PrimaryKey {
                    self.number
                }
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.init(
                        number: DBClientCore.RowReader.value(try row.read(), of: \Self.number),
                        path: DBClientCore.RowReader.value(try row.read(), of: \Self.path)
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.number)
                    try row.write(self.path)
                }
            }
            """##
        )
    }

    @Test("A quotation mark in a stored name is escaped, whatever mark follows it")
    func escapesMarkedQuotation() {
        assertExpansion(
            #"""
            @Stored struct Greeting {
                let id: Int
                @StoredName("\"\u{301}\\\u{301}\n") var text: String
            }
            """#,
            #"""
            struct Greeting {
                let id: Int
                var text: String
            }

            extension Greeting: DBClientCore.Stored {
                typealias PrimaryKey = Int
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "Greeting",
                    fields: [
                        .field(\.id, "id", primaryKey: .given),
                        .field(\.text, "\"\u{301}\\\u{301}\u{a}"),
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
                        text: DBClientCore.RowReader.value(try row.read(), of: \Self.text)
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.id)
                    try row.write(self.text)
                }
            }
            """#
        )
    }

    @Test("Only what has storage in a value is stored")
    func ignoresOtherMembers() {
        assertExpansion(
            """
            @Stored struct Counter {
                let id: Int
                static let limit = 10
                static var shared: Int { 1 }
                var count = 0 { didSet { print(count) } }
                var step: Int = 1 {
                    willSet { print(newValue) }
                }
                private(set) var total: Int
                var double: Int { count * 2 }
                var half: Int { get { 1 } set { _ = newValue } }
                func reset() {}
                struct Part {
                    var size: Int
                }
                enum Kind {
                    case plain
                }
            }
            """,
            #"""
            struct Counter {
                let id: Int
                static let limit = 10
                static var shared: Int { 1 }
                var count = 0 { didSet { print(count) } }
                var step: Int = 1 {
                    willSet { print(newValue) }
                }
                private(set) var total: Int
                var double: Int { count * 2 }
                var half: Int { get { 1 } set { _ = newValue } }
                func reset() {}
                struct Part {
                    var size: Int
                }
                enum Kind {
                    case plain
                }
            }

            extension Counter: DBClientCore.Stored {
                typealias PrimaryKey = Int
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "Counter",
                    fields: [
                        .field(\.id, "id", primaryKey: .given),
                        .field(\.count, "count"),
                        .field(\.step, "step"),
                        .field(\.total, "total"),
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
                        count: DBClientCore.RowReader.value(try row.read(), of: \Self.count),
                        step: DBClientCore.RowReader.value(try row.read(), of: \Self.step),
                        total: DBClientCore.RowReader.value(try row.read(), of: \Self.total)
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.id)
                    try row.write(self.count)
                    try row.write(self.step)
                    try row.write(self.total)
                }
                private init?(startingIn row: inout DBClientCore.Assignments<Self>) {
                    row.set(\.count, to: self.count)
                    row.set(\.step, to: self.step)
                    return nil
                }
            }
            """#
        )
    }

    @Test(
        "Every binding of a declaration is a field, and a keyword keeps its backticks in code only"
    )
    func readsBindingsAndKeywords() {
        assertExpansion(
            """
            @Stored struct `class` {
                @PrimaryKey let `default`: Int
                @PrimaryKey let `in`: Int
                var a, b: Int, c = ""
            }
            """,
            #"""
            struct `class` {
                let `default`: Int
                let `in`: Int
                var a, b: Int, c = ""
            }

            extension `class`: DBClientCore.Stored {
                struct PrimaryKey: DBClientCore.PrimaryKeyValue {
                    let `default`: Int
                    let `in`: Int
                    init(default: Int, in: Int) {
                        self.`default` = `default`
                        self.`in` = `in`
                    }
                    static var columnCount: Swift.Int {
                        2
                    }
                    static var fields: [DBClientCore.SchemaField<Self>] {
                        [
                            .field(\.`default`, "default"),
                            .field(\.`in`, "in"),
                        ]
                    }
                    @inline(__always)
                    init(row: inout DBClientCore.RowReader) throws {
                        self.`default` = try row.read()
                        self.`in` = try row.read()
                    }
                    func write(to row: inout DBClientCore.RowWriter) throws {
                        try row.write(self.`default`)
                        try row.write(self.`in`)
                    }
                }
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "class",
                    fields: [
                        .field(\.`default`, "default", primaryKey: .given),
                        .field(\.`in`, "in", primaryKey: .given),
                        .field(\.a, "a"),
                        .field(\.b, "b"),
                        .field(\.c, "c"),
                    ],
                    indexes: Self.indexes,
                    defaults: {
                        _ = Self(startingIn: &$0)
                    }
                )
                var primaryKey: PrimaryKey {
                    PrimaryKey(default: self.`default`, in: self.`in`)
                }
                @inline(__always)
                init(row: inout DBClientCore.RowReader) throws {
                    self.init(
                        default: DBClientCore.RowReader.value(try row.read(), of: \Self.`default`),
                        in: DBClientCore.RowReader.value(try row.read(), of: \Self.`in`),
                        a: DBClientCore.RowReader.value(try row.read(), of: \Self.a),
                        b: DBClientCore.RowReader.value(try row.read(), of: \Self.b),
                        c: DBClientCore.RowReader.value(try row.read(), of: \Self.c)
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.`default`)
                    try row.write(self.`in`)
                    try row.write(self.a)
                    try row.write(self.b)
                    try row.write(self.c)
                }
                private init?(startingIn row: inout DBClientCore.Assignments<Self>) {
                    row.set(\.c, to: self.c)
                    return nil
                }
            }
            """#
        )
    }

    @Test("A conformance that the struct declares itself is not declared again")
    func keepsDeclaredConformance() {
        assertExpansion(
            """
            @Stored struct Hero: Stored {
                let id: Int
            }
            """,
            #"""
            struct Hero: Stored {
                let id: Int
            }

            extension Hero {
                typealias PrimaryKey = Int
                static let schema: DBClientCore.Schema<Self> = .init(
                    name: "Hero",
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
                    self.init(
                        id: DBClientCore.RowReader.value(try row.read(), of: \Self.id)
                    )
                }
                func write(to row: inout DBClientCore.RowWriter) throws {
                    try row.write(self.id)
                }
            }
            """#,
            macros: ["Stored": MacroSpec(type: StoredMacro.self)]
        )
    }
}
#endif
