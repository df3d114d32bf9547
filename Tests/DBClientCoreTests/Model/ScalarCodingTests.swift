import DBClientCore
import Foundation
import Testing

@Suite("Scalars as stored values")
struct ScalarCodingTests {
    @Test("Booleans are 0 and 1, and nothing else is a Boolean")
    func booleans() throws {
        #expect(try StorageValue(storing: true) == .integer(1))
        #expect(try StorageValue(storing: false) == .integer(0))
        #expect(try roundTrip(true))
        #expect(try !roundTrip(false))
        #expect(failure { try StorageValue.integer(2).decode(as: Bool.self) }?.code == .decoding)
        #expect(failure { try StorageValue.text("1").decode(as: Bool.self) }?.code == .decoding)
    }

    @Test("Integers keep their bounds and are checked when read")
    func integers() throws {
        func check<Value: FixedWidthInteger & StorableValue>(_ type: Value.Type) throws {
            #expect(try roundTrip(Value.min) == Value.min)
            #expect(try roundTrip(0 as Value) == 0)
            if Value.bitWidth < 64 || Value.isSigned {
                #expect(try roundTrip(Value.max) == Value.max)
            }
            if Value.bitWidth < 64 {
                let over = StorageValue.integer(Int64(Value.max) + 1)
                let under = StorageValue.integer(Int64(Value.min) - 1)
                #expect(failure { try over.decode(as: type) }?.code == .decoding)
                #expect(failure { try under.decode(as: type) }?.code == .decoding)
            }
            #expect(failure { try StorageValue.real(1).decode(as: type) }?.code == .decoding)
        }
        try check(Int.self)
        try check(Int8.self)
        try check(Int16.self)
        try check(Int32.self)
        try check(Int64.self)
        try check(UInt.self)
        try check(UInt8.self)
        try check(UInt16.self)
        try check(UInt32.self)
        try check(UInt64.self)
    }

    @Test("An unsigned integer over Int64.max is refused, the last that fits is not")
    func largeUnsigned() throws {
        #expect(try roundTrip(UInt64(Int64.max)) == UInt64(Int64.max))
        #expect(
            failure { try StorageValue(storing: UInt64(Int64.max) + 1) }?.code == .invalidValue
        )
        #expect(failure { try StorageValue(storing: UInt.max) }?.code == .invalidValue)
        #expect(failure { try StorageValue.integer(-1).decode(as: UInt64.self) }?.code == .decoding)
    }

    @Test(
        "Text knows whether it is ASCII, by which it hashes fast",
        arguments: [15, 16, 17, 31, 32, 33, 60]
    )
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func knownASCII(count: Int) throws {
        let ascii = String(repeating: "a", count: count)
        #expect(try roundTrip(ascii) == ascii)
        #expect(try roundTrip(ascii).utf8Span.isKnownASCII)
        for position in 0..<count - 1 {
            var other = ascii
            let start = other.utf8.index(other.utf8.startIndex, offsetBy: position)
            other.replaceSubrange(start...other.utf8.index(after: start), with: "ü")
            #expect(try roundTrip(other) == other)
            #expect(try !roundTrip(other).utf8Span.isKnownASCII)
        }
    }

    @Test("Doubles keep infinities, lose the sign of zero and refuse NaN")
    func doubles() throws {
        for value in [0, 1.5, -1e308, .leastNonzeroMagnitude, .infinity, -.infinity] {
            #expect(try roundTrip(value) == value)
        }
        guard case .real(let zero) = try StorageValue(storing: -0.0) else {
            Issue.record("-0.0 is not stored as a real")
            return
        }
        #expect(zero.bitPattern == (0.0).bitPattern)
        #expect(failure { try StorageValue(storing: Double.nan) }?.code == .invalidValue)
        #expect(failure { try StorageValue.integer(1).decode(as: Double.self) }?.code == .decoding)
    }

    @Test("Floats are exact both ways, and a double that no float equals is out of range")
    func floats() throws {
        for value in [0.1 as Float, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity] {
            #expect(try roundTrip(value) == value)
        }
        #expect(try StorageValue(storing: 0.1 as Float) == .real(Double(0.1 as Float)))
        #expect(failure { try StorageValue.real(0.1).decode(as: Float.self) }?.code == .decoding)
        #expect(failure { try StorageValue(storing: Float.nan) }?.code == .invalidValue)
    }

    @Test("Text keeps its bytes, composed or not, and is refused with NUL")
    func text() throws {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        #expect(composed == decomposed)
        #expect(try StorageValue(storing: composed) != StorageValue(storing: decomposed))
        for value in ["", "x", composed, decomposed, "👩‍👩‍👧", "line\nbreak \"quoted\""] {
            #expect(Array(try roundTrip(value).utf8) == Array(value.utf8))
        }
        #expect(failure { try StorageValue(storing: "a\0b") }?.code == .invalidValue)
        #expect(failure { try StorageValue.data([65]).decode(as: String.self) }?.code == .decoding)
    }

    @Test("An optional is null or its value, and a required value is never null")
    func optionals() throws {
        #expect(try StorageValue(storing: Int?.none) == .null)
        #expect(try roundTrip(Int?.none) == nil)
        #expect(try roundTrip(Int?.some(5)) == 5)
        #expect(try roundTrip(String?.some("")) == "")
        #expect(try roundTrip(Alignment?.some(.bad)) == .bad)
        #expect(try roundTrip(Data?.some(Data())) == Data())
        #expect(failure { try StorageValue.null.decode(as: Int.self) }?.code == .decoding)
        #expect(failure { try StorageValue.text("5").decode(as: Int?.self) }?.code == .decoding)
        #expect(Optional<Int>.isOptional)
        #expect(!Int.isOptional)
        #expect(Optional<Int>.fieldType == Int.fieldType)
    }

    @Test("An enum is its raw value, and an unknown one is an error")
    func enums() throws {
        #expect(Alignment.fieldType == .text)
        for value in Alignment.allCases {
            #expect(try StorageValue(storing: value) == .text(value.rawValue))
            #expect(try roundTrip(value) == value)
        }
        let error = failure { try StorageValue.text("lawful").decode(as: Alignment.self) }
        #expect(error?.code == .decoding)
        #expect(error?.description.contains("lawful") == false)
        #expect(failure { try StorageValue.integer(1).decode(as: Alignment.self) } != nil)
    }
}
