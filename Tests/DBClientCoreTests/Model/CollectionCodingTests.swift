import DBClientCore
import Foundation
import Testing

@Suite("Collections as canonical JSON")
struct CollectionCodingTests {
    @Test("Arrays, sets and dictionaries read back as themselves")
    func roundTrips() throws {
        #expect(try roundTrip([1, 2, 3]) == [1, 2, 3])
        #expect(try roundTrip([String]()) == [])
        #expect(try roundTrip(["a\"b", "", "é\n/"]) == ["a\"b", "", "é\n/"])
        #expect(try roundTrip(Set([3, 1, 2])) == [1, 2, 3])
        #expect(try roundTrip(["b": 2, "a": 1]) == ["a": 1, "b": 2])
        #expect(try roundTrip([[1], [2, 3]]) == [[1], [2, 3]])
        #expect(try roundTrip([Int]?.none) == nil)
        #expect(try roundTrip([Int]?.some([])) == [])
        #expect(try roundTrip([UInt64.max]) == [.max])
        #expect(try roundTrip([Alignment.bad, .good]) == [.bad, .good])
        let uuid = UUID()
        #expect(try roundTrip([uuid]) == [uuid])
        #expect(try roundTrip([Data([1, 2])]) == [Data([1, 2])])
    }

    @Test("Dates in a list are microseconds, rounded as outside one")
    func dates() throws {
        let date = Date(timeIntervalSince1970: 1.234_567_8)
        #expect(try StorageValue(storing: [date]).text == "[1234568]")
        #expect(try roundTrip([date]) == [try roundTrip(date)])
        #expect(
            failure { try StorageValue(storing: [Date(timeIntervalSince1970: .nan)]) }?.code
                == .invalidValue
        )
    }

    @Test("Equal values have equal text, whatever the order they were built in")
    func canonical() throws {
        let words = (0..<40).map { "word \($0)" }
        let forwards = try StorageValue(storing: Set(words))
        #expect(try StorageValue(storing: Set(words.reversed())) == forwards)
        #expect(forwards.text?.hasPrefix(#"["word 0","word 1","word 10","#) == true)
        let pairs = Dictionary(uniqueKeysWithValues: words.map { ($0, 1) })
        let reversed = Dictionary(uniqueKeysWithValues: words.reversed().map { ($0, 1) })
        #expect(try StorageValue(storing: pairs) == StorageValue(storing: reversed))
    }

    @Test("Sets inside other collections are canonical too")
    func nestedSets() throws {
        var grown = Set<Int>(minimumCapacity: 1_000)
        for value in 0..<40 { grown.insert(value) }
        let shrunk = Set((0..<40).reversed())
        #expect(grown == shrunk)
        #expect(try StorageValue(storing: [grown]) == StorageValue(storing: [shrunk]))
        #expect(try StorageValue(storing: ["k": grown]) == StorageValue(storing: ["k": shrunk]))
        #expect(try StorageValue(storing: Set([grown])) == StorageValue(storing: Set([shrunk])))
        #expect(try roundTrip(["k": [grown]]) == ["k": [shrunk]])
    }

    @Test("What JSON cannot hold is refused without showing it")
    func refusals() {
        for error in [
            failure { try StorageValue(storing: [1.5, .nan]) },
            failure { try StorageValue(storing: [Double.infinity]) },
            failure { try StorageValue(storing: ["a\0b"]) },
            failure { try StorageValue(storing: ["k\0": 1]) },
        ] {
            #expect(error?.code == .invalidValue)
        }
    }

    @Test("A backslash before u0000 in text is no NUL")
    func backslashes() throws {
        for text in [#"\u0000"#, #"\\u0000"#, #"a\"#] {
            #expect(try roundTrip([text]) == [text])
        }
        #expect(failure { try StorageValue(storing: ["\\\0"]) }?.code == .invalidValue)
    }

    @Test("Text that is not the collection's JSON is an error")
    func malformed() {
        for text in ["", "[", "{}", #"["a"]"#, "[1,null]", "[1.5]"] {
            #expect(
                failure { try StorageValue.text(text).decode(as: [Int].self) }?.code == .decoding
            )
        }
        #expect(failure { try StorageValue.data([91, 93]).decode(as: [Int].self) } != nil)
    }
}
