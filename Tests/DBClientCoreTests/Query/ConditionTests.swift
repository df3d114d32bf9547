import DBClientCore
import Foundation
import Testing

@Suite("Conditions from operators")
struct ConditionTests {
    private func row(
        _ condition: (Fields<Character>) -> Condition<Character>
    ) throws -> RowCondition {
        try Character.where(condition).rowQuery().condition
    }

    private func compare(
        _ field: String,
        _ comparison: Comparison,
        _ value: StorageValue,
        _ text: TextOrder = .binary
    ) -> RowCondition {
        .compare(column: Character.column(field), comparison, value, text)
    }

    private func isNil(_ field: String) -> RowCondition {
        .isNil(column: Character.column(field))
    }

    @Test("Equality takes values of the field's type; nil asks whether it is absent")
    func equality() throws {
        #expect(try row { $0.name == "x" } == compare("name", .equal, .text("x")))
        #expect(try row { $0.name != "x" } == compare("name", .notEqual, .text("x")))
        #expect(try row { $0.power == 5 } == compare("power", .equal, .integer(5)))
        #expect(try row { $0.power != 5 } == compare("power", .notEqual, .integer(5)))
        #expect(try row { $0.power == nil } == isNil("power"))
        #expect(try row { $0.power != nil } == .not(isNil("power")))
        let absent: Int? = nil
        #expect(try row { $0.power == absent } == isNil("power"))
        #expect(try row { $0.isAlive == true } == compare("isAlive", .equal, .integer(1)))
        #expect(try row { $0.token == nil } == isNil("token"))
        #expect(
            try row { $0.aliases == ["b", "a"] }
                == compare("aliases", .equal, .text(#"["b","a"]"#))
        )
    }

    @Test("Enums compare by raw value, declared storable or not")
    func enums() throws {
        let given: Alignment? = .bad
        let none: Alignment? = nil
        #expect(try row { $0.alignment == .good } == compare("alignment", .equal, .text("good")))
        #expect(try row { $0.alignment != .good } == compare("alignment", .notEqual, .text("good")))
        #expect(try row { $0.former == .good } == compare("former", .equal, .text("good")))
        #expect(try row { $0.former == given } == compare("former", .equal, .text("bad")))
        #expect(try row { $0.former == none } == isNil("former"))
        #expect(try row { $0.former != nil } == .not(isNil("former")))
        #expect(try row { $0.universe == .prime } == compare("universe", .equal, .integer(616)))
        #expect(try row { $0.origin != .prime } == compare("origin", .notEqual, .integer(616)))
        #expect(try row { $0.origin == nil } == isNil("origin"))
    }

    @Test("Order, ranges and membership, on optional fields too")
    func order() throws {
        #expect(try row { $0.identifier < 5 } == compare("identifier", .less, .integer(5)))
        #expect(try row { $0.power >= 5 } == compare("power", .greaterOrEqual, .integer(5)))
        #expect(try row { $0.height > 2 } == compare("height", .greater, .real(2)))
        #expect(
            try row { $0.power.isBetween(1...5) }
                == .all([
                    compare("power", .greaterOrEqual, .integer(1)),
                    compare("power", .lessOrEqual, .integer(5)),
                ])
        )
        #expect(
            try row { $0.identifier.isBetween(1..<5) }
                == .all([
                    compare("identifier", .greaterOrEqual, .integer(1)),
                    compare("identifier", .less, .integer(5)),
                ])
        )
        let power = Character.column("power")
        #expect(
            try row { $0.power.isIn([1, 2]) } == .isIn(column: power, [.integer(1), .integer(2)])
        )
        #expect(
            try row { $0.power.isIn([nil, 2]) }
                == .any([isNil("power"), .isIn(column: power, [.integer(2)])])
        )
        #expect(
            try row { $0.alignment.isIn([.good]) }
                == .isIn(column: Character.column("alignment"), [.text("good")])
        )
        #expect(
            try row { $0.universe.isIn([.prime]) }
                == .isIn(column: Character.column("universe"), [.integer(616)])
        )
        #expect(
            try row { $0.origin.isIn([.prime, nil]) }
                == .any([
                    isNil("origin"), .isIn(column: Character.column("origin"), [.integer(616)]),
                ])
        )
        #expect(
            try row { $0.former.isIn([.good, nil]) }
                == .any([
                    isNil("former"), .isIn(column: Character.column("former"), [.text("good")]),
                ])
        )
    }

    @Test("Embedded structs are asked by their fields, optional ones also for presence")
    func embedded() throws {
        #expect(try row { $0.debut.year > 1960 } == compare("debut_year", .greater, .integer(1960)))
        #expect(
            try row { $0.appearance.year > 1960 }
                == compare("appearance_year", .greater, .integer(1960))
        )
        #expect(
            try row { $0.appearance.month == 6 } == compare("appearance_month", .equal, .integer(6))
        )
        #expect(try row { $0.appearance.month == nil } == isNil("appearance_month"))
        #expect(try row { $0.appearance == nil } == isNil("appearance"))
        #expect(try row { $0.appearance != nil } == .not(isNil("appearance")))
        #expect(
            try row { $0.appearance.issue.hasPrefix("T") }
                == .matches(column: Character.column("appearance_issue"), TextPattern(.prefix, "T"))
        )
    }

    @Test("Text and lists are searched")
    func searches() throws {
        let name = Character.column("name")
        #expect(
            try row { $0.name.contains("x") } == .matches(column: name, TextPattern(.contains, "x"))
        )
        #expect(
            try row { $0.name.hasSuffix("x", ignoringCase: true) }
                == .matches(column: name, TextPattern(.suffix, "x", ignoresCase: true))
        )
        #expect(
            try row { $0.nickname.isLike("a*") }
                == .matches(column: Character.column("nickname"), TextPattern(.wildcard, "a*"))
        )
        #expect(
            try row { $0.name.equalsIgnoringCase("x") }
                == compare("name", .equal, .text("x"), .caseInsensitive)
        )
        #expect(
            try row { $0.aliases.contains("To\"ny") }
                == .hasElement(column: Character.column("aliases"), json: .text(#""To\"ny""#))
        )
        #expect(
            try row { $0.teams.contains(5) }
                == .hasElement(column: Character.column("teams"), json: .text("5"))
        )
        #expect(
            try row { $0.nickname == $0.name }
                == .compareFields(column: Character.column("nickname"), .equal, to: name)
        )
    }

    @Test("And, or and not build flat trees, and true and false drop out")
    func connectives() throws {
        let one = compare("power", .equal, .integer(1))
        let two = compare("power", .equal, .integer(2))
        let three = compare("power", .equal, .integer(3))
        #expect(
            try row { $0.power == 1 && $0.power == 2 && $0.power == 3 } == .all([one, two, three])
        )
        #expect(
            try row { $0.power == 1 || ($0.power == 2 || $0.power == 3) }
                == .any([one, two, three])
        )
        #expect(
            try row { ($0.power == 1 || $0.power == 2) && !($0.power == 3) }
                == .all([.any([one, two]), .not(three)])
        )
        #expect(try row { Condition.constant(true) && $0.power == 1 } == one)
        #expect(try row { Condition.constant(false) || $0.power == 1 } == one)
        #expect(
            try Character.where { $0.power == 1 }.filter { $0.power == 2 }.rowQuery().condition
                == .all([one, two])
        )
    }

    @Test("A long condition of many types needs no help to be type-checked")
    func long() throws {
        let condition = try row {
            $0.name == "a" && $0.power == 5 && $0.alignment == .good && $0.appearance.year > 1960
                && $0.aliases.contains("x") && $0.height < 2 && $0.power != nil
                && !($0.name.hasPrefix("x") || $0.identifier >= 9)
        }
        guard case .all(let terms) = condition else {
            Issue.record("The condition is no conjunction: \(condition)")
            return
        }
        #expect(terms.count == 8)
    }

    @Test("What cannot be asked is thrown by the call that uses the request, naming the field")
    func failures() {
        let unstored = failure { try row { $0.shout == "X" } }
        #expect(unstored?.code == .invalidRequest)
        #expect(unstored?.entity == "Character")
        #expect(unstored?.message.contains("not stored") == true)
        let first = failure { try row { $0.name == "x" && ($0.shout == "X" || $0.height == .nan) } }
        #expect(first?.code == .invalidRequest)
        for error in [
            failure { try row { $0.height == .nan } }, failure { try row { $0.height < .nan } },
            failure { try row { $0.height.isIn([1, .nan]) } },
            failure { try row { !($0.height > .nan) } },
        ] {
            #expect(error?.code == .invalidValue)
            #expect(error?.entity == "Character")
            #expect(error?.field == "height")
        }
        #expect(failure { try row { $0.name.contains("a\0") } }?.field == "name")
        #expect(failure { try row { $0.name == "a\0" } }?.code == .invalidValue)
        #expect(failure { try row { $0.aliases.contains("a\0") } }?.field == "aliases")
    }
}
