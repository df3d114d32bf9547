import DBClientCore
import Foundation
import Testing

@testable import DBClientTool

/// The texts of queries, values and files.
@Suite struct TextTests {
    private let hero = Hero.schema.entity

    @Test(
        arguments: [
            ("year < 1970", .field("year", .less, 1970)),
            (
                "name = 'It''s' or not year is null",
                .any([
                    .field("name", .equal, "It's"), .not(.field("year", .equal, nil)),
                ])
            ),
            (
                "year is not null and (id in (1, -2) or name not begins 'I')",
                .all([
                    .field("year", .notEqual, nil),
                    .any([
                        .field("id", isIn: [1, -2]),
                        .not(.field("name", matches: TextPattern(.prefix, "I"))),
                    ]),
                ])
            ),
            ("\"year\" >= id", .field("year", .greaterOrEqual, field: "id")),
            (
                "isActive = true AND worth <> 1.5",
                .all([
                    .field("isActive", .equal, true),
                    .field("worth", .notEqual, .decimal(1.5)),
                ])
            ),
            (
                "born > '1970-01-01'",
                .field("born", .greater, .date(Date(timeIntervalSince1970: 0)))
            ),
            (
                "name like 'I*' or name ends 'n' or name contains '%'",
                .any([
                    .field("name", matches: TextPattern(.wildcard, "I*")),
                    .field("name", matches: TextPattern(.suffix, "n")),
                    .field("name", matches: TextPattern(.contains, "%")),
                ])
            ),
            (
                "name = '1''); DROP TABLE Hero; --'",
                .field("name", .equal, "1'); DROP TABLE Hero; --")
            ),
        ] as [(String, DynamicCondition)]
    )
    func aConditionIsWhatItsTextSays(_ text: String, _ condition: DynamicCondition) throws {
        #expect(try QueryParser.condition(text, of: hero) == condition)
    }

    @Test(arguments: [
        "", "year", "year <", "year < 'x'", "nothing = 1", "year = 1 or", "(year = 1", "year = 1)",
        "year == 1", "year = 1; DROP TABLE Hero", "name = 'open", "id in ()", "id in (1", "id in 1",
        "year is 1", "name like 1", "year = 1 year = 2", "not", "and", "code = 'x'",
        "1 = 1", "year = 99999999999999999999", "name = \"\"", "#",
        String(repeating: "(", count: 300) + "id = 1",
    ])
    func aTextThatIsNoConditionIsRefused(_ text: String) {
        #expect(throws: ToolError.self) { _ = try QueryParser.condition(text, of: hero) }
    }

    @Test func anErrorOfAQueryNamesThePosition() {
        let error = #expect(throws: ToolError.self) {
            _ = try QueryParser.condition("year < 1970 and year < 'old'", of: hero)
        }
        #expect(error?.message.contains("'old' at position 24") == true)
    }

    @Test func sortsAreFieldsWithDirections() throws {
        #expect(
            try QueryParser.sorts("year desc, \"name\" ASC, id", of: hero) == [
                .init("year", descending: true), .init("name"), .init("id"),
            ]
        )
        for text in ["", "year desc desc", "year,", "nothing", "year down"] {
            #expect(throws: ToolError.self) { _ = try QueryParser.sorts(text, of: hero) }
        }
    }

    @Test func datesGoThroughTextToTheMicrosecond() {
        let times: [Int64] = [
            0, -1, 1, 951_782_400_000_000, -62_135_596_800_000_000, 253_402_300_799_999_999,
            1_700_000_000_123_456, -2_203_891_200_000_001,
        ]
        for time in times {
            let date = Date(timeIntervalSince1970: Double(time) / 1_000_000)
            #expect(DateText.date(DateText.text(date)) == date, "\(time)")
        }
        #expect(
            DateText.text(Date(timeIntervalSince1970: 951_782_400)) == "2000-02-29T00:00:00.000000Z"
        )
        #expect(
            DateText.date("2026-11-26 10:00:30.5+02:00")
                == Date(timeIntervalSince1970: 1_795_680_030.5)
        )
        for text in [
            "999999-01-01", "-999999-12-31", "294248-01-01", "-290309-01-01", "２０２６-01-01",
            "2026-01-01T２３:00",
        ] {
            #expect(DateText.date(text) == nil, "\(text)")
        }
        #expect(
            DateText.date("294247-01-10T04:00:54Z")
                == Date(timeIntervalSince1970: 9_223_372_036_854)
        )
        for text in ["2026-02-30", "2026-13-01", "26-01-01", "2026-01-01T24:01", "yesterday", ""] {
            #expect(DateText.date(text) == nil, "\(text)")
        }
    }

    @Test func valuesOfOtherFormsAreRefused() {
        let wrong: [(String, FieldType)] = [
            ("1.5", .integer(bits: 64, signed: true)), ("x", .double), ("yes", .boolean),
            ("1e999", .double), ("-1e999", .double), ("0x1p3", .double), ("0x1p9999", .double),
            ("1e300", .float), ("0x10", .float), ("x", .float),
            ("1,5", .decimal), ("1.5x", .decimal), ("#", .data), ("1", .uuid),
        ]
        for (text, type) in wrong { #expect(FieldText.value(text, of: type) == nil, "\(text)") }
        for number in [0.1, -.infinity, .infinity, 1e300, -0.0, .leastNonzeroMagnitude] {
            #expect(FieldText.value(number.description, of: .double) == .real(number))
        }
        #expect(FieldText.value("1.5E2", of: .float) == .real(150))
        guard case .real(let none)? = FieldText.value("nan", of: .double) else {
            Issue.record("nan must be a value.")
            return
        }
        #expect(none.isNaN)
    }

    @Test func aComparisonWithWhatIsNoNumberIsRefused() throws {
        let entity = Hero.schema.entity
        for text in ["power = nan", "power != 'NaN'", "power in (1, 'nan')", "power < NAN"] {
            let error = #expect(throws: ToolError.self) {
                _ = try QueryParser.condition(text, of: entity)
            }
            #expect(error?.message.contains("must be a number; nan is none") == true, "\(text)")
        }
        // It is a text as any other, and may be the name of a field.
        #expect(
            try QueryParser.condition("name = 'nan'", of: entity)
                == .field("name", .equal, .text("nan"))
        )
        let name = #expect(throws: ToolError.self) {
            _ = try QueryParser.condition("name = nan", of: entity)
        }
        #expect(name?.message.contains("no field \"nan\"") == true)
    }

    @Test func storedJSONKeepsAllButTheBytesThatEndALine() {
        #expect(
            JSONText.json(.json("{\r\n\"a\":\n\"b\u{2028}c\u{2029}d\u{85}e\"}"))
                == "{  \"a\": \"b\u{2028}c\u{2029}d\u{85}e\"}"
        )
        #expect(JSONText.json(.json("[\"\u{85}\"]")) == "[\"\u{85}\"]")
    }

    private func reader(_ bytes: [UInt8]) throws -> ByteReader {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
        try pipe.fileHandleForWriting.close()
        return ByteReader(pipe.fileHandleForReading)
    }

    @Test func anyTextGoesThroughCSV() throws {
        let values = [
            "a\"\u{301}b", "\"\u{301}", " \u{301}", "e\u{301}\u{200D}\"", "\"\"",
            "x\u{301}",
        ]
        let line = CSV.line(values)
        #expect(line.hasPrefix("\"a\"\"\u{301}b\",\"\"\"\u{301}\","))
        var rows = CSVReader(try reader(Array(line.utf8)))
        let row = try #require(try rows.next())
        #expect(row.map { Array(($0 ?? "").utf8) } == values.map { Array($0.utf8) })
        #expect(try rows.next() == nil)
    }

    @Test func theMarkOfUTF8IsNoText() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var rows = CSVReader(try reader(mark + Array("\"id\",b\n".utf8)))
        #expect(try rows.next() == ["id", "b"])
        #expect(try reader(mark).nextLine() == nil)
        #expect(try reader(mark + [0x61, 0x0A]).nextLine() == [0x61])
        #expect(try reader([0xEF]).nextLine() == [0xEF])
        #expect(try reader([0x61] + mark).nextLine() == [0x61] + mark)
    }

    @Test func percentInLikeIsToldOf() throws {
        var notes: [String] = []
        for text in ["name like 'pl%'", "name like 'a*%'", "name contains '%'", "name like 'a?'"] {
            _ = try QueryParser.condition(text, of: hero) { notes.append($0) }
        }
        #expect(notes.count == 1)
        #expect(notes.first?.contains("'pl%'") == true)
    }

    @Test(arguments: [
        "", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{\"a\":1}x", "[1]", "{a:1}",
        "{\"a\":01x}",
        "{\"a\":\"\\u12\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\x\"}", "{\"a\":[1}",
        "{\"a\":\"\n\"}",
        "{\"a\":" + String(repeating: "[", count: 600),
    ])
    func aTextThatIsNoObjectIsRefused(_ text: String) {
        var scanner = JSONScanner(text.utf8)
        #expect(throws: JSONScanner.Failure.self) { _ = try scanner.object() }
    }

    @Test func numbersKeepTheirDigits() throws {
        var scanner = JSONScanner(
            #" { "a" : 0.10 , "b":[1, "]"], "c":"\u00e9\ud83d\ude00" } "#.utf8
        )
        let pairs = try scanner.object()
        #expect(pairs.map(\.name) == ["a", "b", "c"])
        #expect(pairs[0].value == .number("0.10"))
        #expect(pairs[1].value == .composite("[1, \"]\"]"))
        #expect(pairs[2].value == .string("é😀", raw: #""\u00e9\ud83d\ude00""#))
    }

    @Test(arguments: [
        ("0", true, true), ("-12", true, true), ("007", true, true), ("1.5e-7", true, true),
        ("1E+9", true, true), ("+1", false, true), (".5", false, true), ("1.", false, true),
        ("-.5e3", false, true), ("", false, false), ("-", false, false), (".", false, false),
        ("1e", false, false), ("1e+", false, false), ("1 ", false, false), ("0x1", false, false),
        ("--1", false, false), ("1.2.3", false, false), ("١٢", false, false), ("nan", false, false),
    ])
    func aNumberIsOneOfDecimalDigits(_ text: String, _ isJSON: Bool, _ isDecimal: Bool) {
        #expect(NumberText.isJSON(text) == isJSON)
        #expect(NumberText.isDecimal(text) == isDecimal)
    }
}
