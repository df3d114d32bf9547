import Testing

@testable import ModelGenerator

struct DefaultLiteralTests {
    private func swift(_ expression: String, _ kind: FieldKind) -> String? {
        DefaultLiteral(expression) { $0 == "mood" ? ["so-so": "soSo"] : [:] }.swift(of: kind)
    }

    @Test func constantsAreValuesOfSwift() {
        #expect(swift("7", .int) == "7")
        #expect(swift("(-7)", .int) == "-7")
        #expect(swift("'7'::bigint", .int) == "7")
        #expect(swift("007", .int) == "7")
        #expect(swift("0.50", .double) == "0.50")
        #expect(swift("0.00", .decimal) == "0")
        #expect(swift("true", .boolean) == "true")
        #expect(swift("0", .boolean) == "false")
        #expect(swift("'it''s'::text", .text) == "\"it's\"")
        #expect(swift("'a::b'", .text) == "\"a::b\"")
        #expect(swift("''", .text) == "\"\"")
        #expect(swift("'so-so'::mood", .enumeration("mood")) == ".soSo")
        #expect(swift("'{}'::text[]", .list(.text, hasAbsent: false)) == "[]")
        #expect(swift("NULL::character varying", .text) == "nil")
    }

    @Test func otherExpressionsAreNone() {
        #expect(swift("now()", .date) == nil)
        #expect(swift("CURRENT_TIMESTAMP", .text) == nil)
        #expect(swift("1 + 2", .int) == nil)
        #expect(swift("0.99", .decimal) == nil)
        #expect(swift("'a' || 'b'", .text) == nil)
        #expect(swift("99999999999999999999", .int) == nil)
        #expect(swift("'sad'::mood", .enumeration("mood")) == nil)
        #expect(swift("x'00'", .data) == nil)
    }
}
