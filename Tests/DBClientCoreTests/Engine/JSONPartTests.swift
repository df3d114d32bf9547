import Foundation
import Testing

@testable import DBClientCore

@Suite("Parts of JSON")
struct JSONPartTests {
    private func part(_ json: String, _ path: String, as type: FieldType) -> StorageValue {
        let call = RowFunctionCall(.part, returning: type, of: .json, count: 2)
        let arena = RowBuffer(.constant, columns: [])
        return Array(json.utf8).withUnsafeBytes { json in
            Array(path.utf8).withUnsafeBytes { path in
                StorageValue(call.part(json, path, arena))
            }
        }
    }

    private let integer = FieldType.integer(bits: 64, signed: true)

    @Test(
        "Numbers as integers",
        arguments: [
            ("1", 1), ("-0", 0), ("1.0", 1), ("10e-1", 1), ("1e2", 100), ("1.5", nil),
            ("9223372036854775807", .max), ("9223372036854775808", nil),
            ("-9223372036854775808", .min), ("-9223372036854775809", nil),
            ("9007199254740993.0", 9_007_199_254_740_993),
            ("100000000000000000000e-2", 1_000_000_000_000_000_000), ("0e999999999999", nil),
            ("0e99999", 0), ("1e99999", nil), ("\"1\"", nil), ("true", nil), ("null", nil),
            ("", nil),
            ("-", nil), (".5", nil), ("1e", nil), ("0x10", nil), ("inf", nil),
        ] as [(String, Int64?)]
    )
    func integers(json: String, expected: Int64?) {
        #expect(part(json, "[]", as: integer) == (expected.map(StorageValue.integer) ?? .null))
    }

    @Test("An integer beyond the type is absent")
    func bounds() {
        let byte = FieldType.integer(bits: 8, signed: true)
        #expect(part("127", "[]", as: byte) == .integer(127))
        #expect(part("128", "[]", as: byte) == .null)
        #expect(part("-1", "[]", as: .integer(bits: 64, signed: false)) == .null)
    }

    @Test(
        "Numbers as doubles",
        arguments: [
            ("0.1", 0.1), ("1", 1), ("9007199254740993", 9_007_199_254_740_992), ("-0.0", 0),
            ("1e400", nil), ("1e-400", nil), ("0e-400", 0), ("5e-324", .leastNonzeroMagnitude),
            ("nan", nil),
        ] as [(String, Double?)]
    )
    func doubles(json: String, expected: Double?) {
        #expect(part(json, "[]", as: .double) == (expected.map(StorageValue.real) ?? .null))
    }

    @Test(
        "Texts",
        arguments: [
            (#""a""#, "a"), (#""""#, ""), (#""\"\\\/\b\t\n\f\r""#, "\"\\/\u{8}\t\n\u{C}\r"),
            (#""\u00e9""#, "é"), (#""\ud83e\uddb8x""#, "🦸x"), (#""\u0000""#, nil),
            (#""\ud800""#, nil), (#""\udc00""#, nil), (#""\ud800\u0041""#, nil), (#""\x""#, nil),
            (#""\u00""#, nil), (#""\"#, nil), (#""a"#, nil), ("1", nil), ("[]", nil),
        ] as [(String, String?)]
    )
    func texts(json: String, expected: String?) {
        #expect(part(json, "[]", as: .text) == (expected.map(StorageValue.text) ?? .null))
    }

    @Test(
        "Paths",
        arguments: [
            (#"{"a":1,"a":2}"#, #"["a"]"#, 1), (#" { "a" : [ 1 , 2 ] } "#, #"["a",1]"#, 2),
            (#"{"b":"}]\"","a":3}"#, #"["a"]"#, 3), (#"{"\u0061":4}"#, #"["a"]"#, 4),
            (#"{"é":5}"#, #"["\u00e9"]"#, 5), (#"{"a":{"a":{"a":6}}}"#, #"["a","a","a"]"#, 6),
            (#"[[],[[7]]]"#, "[1,0,0]", 7), (#"{"a":1}"#, "[0]", nil), (#"[1]"#, #"["0"]"#, nil),
            (#"[1]"#, "[1]", nil), (#"[]"#, "[0]", nil), (#"{}"#, #"["a"]"#, nil),
            (#"{"a":"#, #"["a"]"#, nil), (#"{"a" 1}"#, #"["a"]"#, nil), (#"[1"#, "[1]", nil),
            (#"{"a":1"#, #"["b"]"#, nil), (#"[{"a":1]"#, #"[1]"#, nil), ("", "[0]", nil),
            ("[1,2]", "[99999999999999999999]", nil), (#"{"":8}"#, #"[""]"#, 8),
        ] as [(String, String, Int64?)]
    )
    func paths(json: String, path: String, expected: Int64?) {
        #expect(part(json, path, as: integer) == (expected.map(StorageValue.integer) ?? .null))
    }

    @Test("Other types as a Codable value writes them")
    func others() throws {
        struct Value: Codable {
            var date = Date(microsecondsSince1970: -1)
            var data = Data([0, 1, 255])
            var uuid = UUID()
            var decimal = Decimal(sign: .minus, exponent: -3, significand: 12_345)
            var float: Float = 0.1
            var flags = [true, false]
        }
        let value = Value()
        let json = String(decoding: try JSONField.encode(value), as: UTF8.self)
        #expect(try part(json, #"["date"]"#, as: .date) == StorageValue(storing: value.date))
        #expect(try part(json, #"["data"]"#, as: .data) == StorageValue(storing: value.data))
        #expect(try part(json, #"["uuid"]"#, as: .uuid) == StorageValue(storing: value.uuid))
        #expect(
            try part(json, #"["decimal"]"#, as: .decimal) == StorageValue(storing: value.decimal)
        )
        #expect(try part(json, #"["float"]"#, as: .float) == StorageValue(storing: value.float))
        #expect(part(json, #"["flags",0]"#, as: .boolean) == .integer(1))
        #expect(part(json, #"["flags",1]"#, as: .boolean) == .integer(0))
        #expect(part("tru", "[]", as: .boolean) == .null)
        #expect(part(#""no base64""#, "[]", as: .data) == .null)
        #expect(part(#""no UUID""#, "[]", as: .uuid) == .null)
        #expect(part("9223372036854775807", "[]", as: .date) == .null)
        #expect(part("123456789012345678901234567890123456789", "[]", as: .decimal) == .null)
    }

    @Test("Bytes that are no JSON have parts or none, and nothing is read beyond them")
    func damaged() {
        var generator = SeededGenerator(seed: 5)
        let signs = Array(#"{}[]":,\u0d8 1e-.tn"#.utf8)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...14, using: &generator)).map { _ in
                signs[Int.random(in: 0..<signs.count, using: &generator)]
            }
            let json = String(decoding: bytes, as: UTF8.self)
            for path in ["[]", "[0]", #"["u"]"#, #"["",1]"#] {
                _ = part(json, path, as: integer)
                let text = part(json, path, as: .text)
                if case .text(let text) = text { #expect(!text.utf8.contains(0)) }
            }
        }
    }
}
