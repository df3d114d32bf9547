import DBClientCore
import Foundation
import Testing

@Suite("Fields by name")
struct FieldNameTests {
    typealias Named = Condition<Character>

    @Test("A named field makes the condition that its property makes")
    func sameAsOperators() throws {
        func check(
            _ named: Named,
            _ typed: (Fields<Character>) -> Named,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let expected = try Character.where(typed).rowQuery().condition
            #expect(named.row == expected, sourceLocation: sourceLocation)
        }
        try check(.field("name", .equal, "x")) { $0.name == "x" }
        try check(.field("name", .equal, StorageValue.text("x"))) { $0.name == "x" }
        try check(.field("power", .greater, 5)) { $0.power > 5 }
        try check(.field("power", .equal, Int?.none)) { $0.power == nil }
        try check(.field("power", .notEqual, StorageValue.null)) { $0.power != nil }
        try check(.field("power", .equal, UInt8(5))) { $0.power == 5 }
        try check(.field("height", .less, 2.0 as Float)) { $0.height < 2 }
        try check(.field("alignment", .equal, Alignment.bad)) { $0.alignment == .bad }
        try check(.field("debut_year", .equal, 5)) { $0.debut.year == 5 }
        try check(.field("power", isIn: [1, 2])) { $0.power.isIn([1, 2]) }
        try check(.field("power", isIn: [StorageValue.integer(1), .null])) {
            $0.power.isIn([1, nil])
        }
        try check(.field("appearance", isNil: true)) { $0.appearance == nil }
        try check(.field("appearance", isNil: false)) { $0.appearance != nil }
        try check(.field("name", matches: TextPattern(.suffix, "x"))) { $0.name.hasSuffix("x") }
        try check(.field("name", .equal, "x", text: .caseInsensitive)) {
            $0.name.equalsIgnoringCase("x")
        }
    }

    @Test("Requests filter and sort by name")
    func requests() throws {
        let request = try Character.all.filter(field: "name", equalTo: "x")
            .filter(field: "power", in: [1, 2]).filter(field: "power", notIn: [3])
            .sorted(by: [.field("name"), .field("power", descending: true).nilsFirst])
        let same = Character.where {
            $0.name == "x" && $0.power.isIn([1, 2]) && !$0.power.isIn([3])
        }
        .sorted { [$0.name, $0.power.descending.nilsFirst] }
        #expect(try request.rowQuery() == same.rowQuery())
    }

    @Test("An unknown name is refused, naming entity and field")
    func unknown() {
        for error in [
            failure { try Named.field("nome", .equal, "x") },
            failure { try Named.field("nome", .equal, StorageValue.text("x")) },
            failure { try Named.field("nome", isIn: ["x"]) },
            failure { try Named.field("nome", isNil: true) },
            failure { try Named.field("nome", matches: TextPattern(.prefix, "x")) },
            failure { try Ordering<Character>.field("nome") },
            failure { try Character.all.filter(field: "nome", equalTo: 1) },
        ] {
            #expect(error?.code == .invalidRequest)
            #expect(error?.entity == "Character")
            #expect(error?.field == "nome")
        }
    }

    @Test("A value of another type is refused, naming entity and field")
    func mismatch() {
        for (field, error) in [
            ("name", failure { try Named.field("name", .equal, 5) }),
            ("power", failure { try Named.field("power", .equal, "5") }),
            ("power", failure { try Named.field("power", .equal, Date()) }),
            ("isAlive", failure { try Named.field("isAlive", .equal, 1) }),
            ("born", failure { try Named.field("born", .less, 1) }),
            ("token", failure { try Named.field("token", isIn: [Data()]) }),
            ("height", failure { try Named.field("height", .equal, StorageValue.integer(1)) }),
            ("isAlive", failure { try Named.field("isAlive", .equal, StorageValue.integer(2)) }),
            ("token", failure { try Named.field("token", .equal, StorageValue.data([1])) }),
            ("power", failure { try Named.field("power", isIn: [StorageValue.text("1")]) }),
            ("power", failure { try Named.field("power", matches: TextPattern(.prefix, "1")) }),
            ("power", failure { try Named.field("power", .equal, 1, text: .caseInsensitive) }),
        ] {
            #expect(error?.code == .invalidRequest)
            #expect(error?.entity == "Character")
            #expect(error?.field == field)
        }
    }

    @Test("A value that no engine keeps is refused, naming entity and field")
    func invalid() {
        for (field, error) in [
            ("height", failure { try Named.field("height", .equal, Double.nan) }),
            ("height", failure { try Named.field("height", .equal, StorageValue.real(.nan)) }),
            ("name", failure { try Named.field("name", .equal, StorageValue.text("a\0")) }),
            ("name", failure { try Named.field("name", matches: TextPattern(.prefix, "a\0")) }),
        ] {
            #expect(error?.code == .invalidValue)
            #expect(error?.entity == "Character")
            #expect(error?.field == field)
        }
    }
}
