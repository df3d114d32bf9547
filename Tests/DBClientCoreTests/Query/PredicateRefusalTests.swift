import DBClientCore
import Foundation
import Testing

@Suite("Predicates that have no meaning in a store")
struct PredicateRefusalTests {
    private func expectRefusal(
        _ predicate: Predicate<Character>,
        _ code: DBClientError.Code = .unsupported,
        saying words: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = failure { try FetchRequest(predicate) }
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.entity == "Character", sourceLocation: sourceLocation)
        #expect(
            error?.message.contains(words) == true,
            "\(error?.message ?? "no error")",
            sourceLocation: sourceLocation
        )
    }

    @Test("Arithmetic, conditionals and casts are named")
    func expressions() {
        expectRefusal(#Predicate { $0.identifier + 1 > 5 }, saying: "arithmetic")
        expectRefusal(#Predicate { $0.identifier / 2 > 5 }, saying: "int division")
        expectRefusal(#Predicate { $0.identifier % 2 == 1 }, saying: "int remainder")
        expectRefusal(#Predicate { -$0.identifier > 5 }, saying: "unary minus")
        let least = Int.min
        expectRefusal(#Predicate { $0.identifier > -least }, saying: "unary minus")
        expectRefusal(
            #Predicate { $0.isAlive ? $0.power == 1 : $0.power == 2 },
            saying: "conditional"
        )
        expectRefusal(
            #Predicate { (($0.power as Any) as? Double) == 1 },
            saying: "conditional cast"
        )
        expectRefusal(#Predicate { ($0.power as Any) is Double }, saying: "type check")
    }

    @Test("Collections are asked for no more than an element and their number")
    func collections() {
        expectRefusal(
            #Predicate { $0.aliases.contains { $0 == "x" } },
            saying: "sequence contains where"
        )
        expectRefusal(
            #Predicate { $0.aliases.allSatisfy { $0 == "x" } },
            saying: "sequence all satisfy"
        )
        expectRefusal(#Predicate { $0.aliases[0] == "x" }, saying: "collection index subscript")
        expectRefusal(
            #Predicate { $0.aliases.count == $0.aliases.count },
            saying: "two such operands"
        )
        expectRefusal(#Predicate { $0.name.count > 1 }, .invalidRequest, saying: "of a text")
        expectRefusal(#Predicate { $0.aliases.starts(with: ["x"]) }, saying: "text field")
    }

    @Test("Two constants and whole values are not compared")
    func operands() {
        let costume = Costume(colours: [], isArmoured: false)
        let five = 5
        expectRefusal(#Predicate { _ in five == 5 }, saying: "two constants")
        expectRefusal(#Predicate { $0.costume == costume }, saying: "Costume")
        expectRefusal(#Predicate { $0.name.contains($0.debut.issue) }, saying: "search")
        expectRefusal(#Predicate { ($0.power ?? $0.debut.year) == 5 }, saying: "??")
        expectRefusal(
            #Predicate { hero in hero.power.flatMap { _ in hero.teams } == nil },
            saying: "flatMap"
        )
    }

    @Test("Properties that are not stored are named as such")
    func unstored() {
        expectRefusal(#Predicate { $0.shout == "X" }, .invalidRequest, saying: "not stored")
        expectRefusal(#Predicate { $0.primaryKey == 1 }, .invalidRequest, saying: "not stored")
        expectRefusal(
            #Predicate { $0.costume.isArmoured },
            .invalidRequest,
            saying: "not stored"
        )
    }

    @Test("A constant that no engine keeps is refused, naming the field")
    func values() {
        let number = Double.nan
        let zero = "a\0"
        for (field, error) in [
            ("height", failure { try FetchRequest<Character>(#Predicate { $0.height < number }) }),
            ("name", failure { try FetchRequest<Character>(#Predicate { $0.name == zero }) }),
            (
                "name",
                failure { try FetchRequest<Character>(#Predicate { $0.name.contains(zero) }) }
            ),
            (
                "aliases",
                failure { try FetchRequest<Character>(#Predicate { $0.aliases.contains(zero) }) }
            ),
        ] {
            #expect(error?.code == .invalidValue)
            #expect(error?.field == field)
            #expect(error?.entity == "Character")
        }
    }
}
