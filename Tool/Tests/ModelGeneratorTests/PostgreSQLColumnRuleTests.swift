import Testing

@testable import ModelGenerator

struct PostgreSQLColumnRuleTests {
    private func kind(
        _ name: String,
        isArray: Bool = false,
        hasModifiers: Bool = false
    ) -> FieldKind? {
        PostgreSQLColumnRule.meaning(
            of: PostgreSQLColumnRule.ServerType(
                name: name,
                isEnum: false,
                hasModifiers: hasModifiers
            ),
            isArray: isArray
        )
        .kind
    }

    @Test func aTimeOfDayIsANumberOfSeconds() {
        #expect(kind("time") == .double)
        #expect(kind("timetz") == nil)
    }

    @Test func arraysAreListsOfTheElementsThatTheLibraryReads() {
        #expect(kind("text", isArray: true) == .list(.text, hasAbsent: false))
        #expect(
            kind("varchar", isArray: true, hasModifiers: true) == .list(.text, hasAbsent: false)
        )
        for name in ["date", "time", "jsonb", "citext", "bpchar", "interval"] {
            #expect(kind(name, isArray: true) == nil, "\(name)")
        }
        for name in ["numeric", "timestamp", "timestamptz"] {
            #expect(kind(name, isArray: true) != nil)
            #expect(kind(name, isArray: true, hasModifiers: true) == nil)
            #expect(kind(name, hasModifiers: true) != nil)
        }
    }
}
