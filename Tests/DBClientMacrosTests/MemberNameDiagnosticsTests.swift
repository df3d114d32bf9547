#if Macros
import Testing

@Suite("Members that stand where the macros put theirs")
struct MemberNameDiagnosticsTests {
    private func assertRefusedMember(
        _ member: String,
        of key: String = "let id: Int",
        marked markedKey: String? = nil,
        in attribute: String = "@Stored",
        _ message: String,
        line: Int = 3,
        column: Int
    ) {
        assertExpansion(
            """
            \(attribute) struct Hero {
                \(markedKey ?? key)
                \(member)
            }
            """,
            """
            struct Hero {
                \(key)
                \(member)
            }
            """,
            diagnostics: [error(message, line: line, column: column)]
        )
    }

    @Test(
        "What is called primaryKey is the key",
        arguments: [
            ("var primaryKey: String", 9), ("var primaryKey: Int { id }", 9),
            ("func primaryKey() -> Int { id }", 10), ("let `primaryKey`: Int", 9),
        ]
    )
    func refusesPrimaryKey(member: String, column: Int) {
        assertRefusedMember(
            member,
            """
            '@Stored' declares 'primaryKey' itself; make this the only '@PrimaryKey', or rename it, \
            where '@StoredName("primaryKey")' keeps its stored name
            """,
            column: column
        )
    }

    @Test(
        "What the type calls schema is the schema",
        arguments: [
            ("@Stored", "static let schema = 1"), ("@Stored", "static func schema() {}"),
            ("@Embedded", "static var schema: Int { 1 }"),
        ]
    )
    func refusesStaticSchema(attribute: String, member: String) {
        assertRefusedMember(
            member,
            in: attribute,
            "'\(attribute)' declares a static 'schema' itself; rename this one",
            column: member.contains("func") ? 17 : 16
        )
    }

    @Test("Nothing but the type is called Self", arguments: ["@Stored", "@Embedded"])
    func refusesSelf(attribute: String) {
        assertRefusedMember(
            "var `Self`: Int",
            in: attribute,
            """
            a property named 'Self' hides the type from what '\(attribute)' declares; rename it, where \
            '@StoredName("Self")' keeps its stored name
            """,
            column: 9
        )
    }

    @Test(
        "A key path leads to every property",
        arguments: ["@Stored", "@Embedded"],
        ["self", "Type", "Protocol"]
    )
    func refusesPropertyWithoutKeyPath(attribute: String, name: String) {
        assertRefusedMember(
            "let `\(name)`: Int",
            in: attribute,
            """
            a property named '\(name)' cannot be stored, since no key path leads to it; rename it, \
            where '@StoredName("\(name)")' keeps its stored name
            """,
            column: 9
        )
    }

    @Test("A nested type does not hide a module", arguments: ["DBClientCore", "Swift"])
    func refusesHiddenModule(name: String) {
        assertRefusedMember(
            "struct \(name) {}",
            """
            the nested type '\(name)' hides the module that '@Stored' names; rename the type
            """,
            column: 12
        )
    }

    @Test("The stored shape is the model", arguments: ["struct", "typealias"])
    func refusesStorage(keyword: String) {
        assertRefusedMember(
            keyword == "struct" ? "struct Storage {}" : "typealias Storage = Int",
            """
            the nested type 'Storage' has the name by which 'Stored' knows the model itself; rename \
            the type
            """,
            column: keyword == "struct" ? 12 : 15
        )
    }

    @Test("A nested PrimaryKey is the type of the key")
    func refusesOtherPrimaryKeyType() {
        assertRefusedMember(
            "enum PrimaryKey {}",
            """
            the nested type 'PrimaryKey' is not that of the key 'id'; rename it, since '@Stored' \
            declares one of that name
            """,
            column: 10
        )
    }

    @Test(
        "An alias is not the struct of a key of several properties",
        arguments: [
            "(Int, String)", "String", "Swift.Int", "Foundation.UUID", "[Int]", "Int?",
            "Array<Int>", "Tagged<Int>", "any Hashable",
        ]
    )
    func refusesAliasOfCompositeKey(type: String) {
        assertRefusedMember(
            "typealias PrimaryKey = \(type)",
            of: "let row: Tagged<Int>\n    let number: Int",
            marked: "@PrimaryKey let row: Tagged<Int>\n    @PrimaryKey let number: Int",
            """
            the type alias 'PrimaryKey' is not that of the key of 'row' and 'number'; remove it, since \
            '@Stored' declares a struct of that name
            """,
            line: 4,
            column: 15
        )
    }
}
#endif
