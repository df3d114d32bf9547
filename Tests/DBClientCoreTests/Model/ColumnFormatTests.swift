import DBClientCore
import Foundation
import Testing

@Suite("A format turns a value into what a column holds, and back")
struct ColumnFormatTests {
    /// Creates the format of a name, by the note that a store keeps of a form.
    private func format(_ name: String) -> ColumnFormat? { FieldForm("date@\(name)").format }

    private func value(_ format: ColumnFormat, ofStored stored: StorageValue) -> StorageValue? {
        stored.withSlot { format.value(ofStored: $0) }
    }

    private func stored(_ format: ColumnFormat, _ value: StorageValue) -> StorageValue? {
        value.withSlot { format.stored($0) }
    }

    private static let formats: [ColumnFormat] =
        (0...6).flatMap { digits -> [ColumnFormat] in
            [
                .iso8601(fractionDigits: digits),
                .iso8601(fractionDigits: digits, hasZone: false),
                .dateTime(fractionDigits: digits),
            ]
        } + [
            .day, .secondsSince1970, .millisecondsSince1970, .timeIntervalSince1970,
            .timeIntervalSinceReferenceDate, .julianDay, .uppercaseText, .lowercaseText, .text,
            .text(true: "on-line_%", false: "ø"), .real, .integer(fractionDigits: 18), .data,
        ]

    @Test("A store's note names the format", arguments: formats)
    func names(_ format: ColumnFormat) {
        #expect(self.format(format.name) == format)
        let form = FieldForm("uuid->Some%20one@\(format.name)")
        #expect(form.format == format)
        #expect(form.note == "uuid->Some%20one@\(format.name)")
        #expect(form.fits(FieldForm("uuid")))
    }

    @Test("A format is described as Swift declares it")
    func descriptions() {
        let formats: [(ColumnFormat, String)] = [
            (.iso8601, ".iso8601"), (.iso8601(fractionDigits: 3), ".iso8601(fractionDigits: 3)"),
            (
                .iso8601(fractionDigits: 0, hasZone: false),
                ".iso8601(fractionDigits: 0, hasZone: false)"
            ),
            (.dateTime, ".dateTime"),
            (.dateTime(fractionDigits: 0), ".dateTime(fractionDigits: 0)"),
            (.day, ".day"), (.secondsSince1970, ".secondsSince1970"),
            (.millisecondsSince1970, ".millisecondsSince1970"),
            (.timeIntervalSince1970, ".timeIntervalSince1970"),
            (.timeIntervalSinceReferenceDate, ".timeIntervalSinceReferenceDate"),
            (.julianDay, ".julianDay"), (.uppercaseText, ".uppercaseText"),
            (.lowercaseText, ".lowercaseText"), (.text, ".text"),
            (.text(true: "\"Y", false: "N"), #".text(true: "\"Y", false: "N")"#), (.real, ".real"),
            (.integer(fractionDigits: 2), ".integer(fractionDigits: 2)"), (.data, ".data"),
        ]
        for (format, text) in formats { #expect("\(format)" == text) }
    }

    @Test("A format of a later version is no type that this one reads")
    func unknownFormats() {
        for name in ["", "moon", "iso8601", "iso8601-x", "iso8601-3-mars", "day-1", "interval-5"] {
            let form = FieldForm("date@\(name)")
            #expect(form.format == nil)
            #expect(form.type == nil)
        }
        #expect(FieldForm("date").type == .date)
    }

    @Test("Texts of dates are read in every usual spelling")
    func spellings() {
        let texts: [(String, Int64?)] = [
            ("1970-01-01", 0), ("1970-01-01T00:00:01Z", 1_000_000),
            ("1970-01-01 00:00", 0), ("1970-01-01T00:01", 60_000_000),
            ("1970-01-01 00:00:00.5", 500_000), ("1970-01-01t00:00:00,123456z", 123_456),
            ("1970-01-01T00:00:00.1234565", 123_457), ("1970-01-01T00:00:00.12345649999", 123_456),
            ("1970-01-01T00:00:00.9999999", 1_000_000),
            ("1970-01-01T02:00:00+02:00", 0), ("1970-01-01T02:00:00+0200", 0),
            ("1969-12-31T19:30:00-04:30", 0), ("1970-01-01T01:00+01", 0),
            ("1969-12-31T24:00:00", 0), ("1969-12-31T23:59:60Z", 0),
            ("0000-03-01", -62_162_035_200_000_000), ("-000001-03-01", -62_193_657_600_000_000),
            ("+010000-01-01T00:00:00Z", 253_402_300_800_000_000),
            ("2000-02-29", 951_782_400_000_000), ("1900-02-29", nil), ("2001-02-29", nil),
            ("1970-13-01", nil), ("1970-00-01", nil), ("1970-01-00", nil), ("1970-01-32", nil),
            ("1970-01-01T24:00:01", nil), ("1970-01-01T25:00", nil), ("1970-01-01T00:60", nil),
            ("1970-01-01T00:00:61", nil), ("1970-01-01T00:00:00.", nil), ("1970-01-01T", nil),
            ("1970-1-1", nil), ("19700101", nil), ("1970-01-01Z", nil), (" 1970-01-01", nil),
            ("1970-01-01 ", nil), ("1970-01-01T00:00:00+2", nil), ("", nil), ("now", nil),
            ("１970-01-01", nil), ("10000-01-01", 253_402_300_800_000_000), ("+1970-01-01", 0),
            ("999999-01-01", nil),
            ("+999999-01-01", nil), ("-009999-01-01", nil),
        ]
        for (text, microseconds) in texts {
            let found = value(.iso8601, ofStored: .text(text))
            #expect(found == microseconds.map { .integer($0) }, "\(text)")
        }
    }

    /// Foundation's calendar is another program's idea of the same days.
    @Test("Days are those of the Gregorian calendar")
    func days() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        // From 1621 to 9892, in steps that go through all times of day.
        for step in 0..<2_000 as Range<Int64> {
            let microseconds = -11_000_000_000_000_000 + step * 130_500_123_456_789
            let date = Date(microsecondsSince1970: microseconds)
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second],
                from: Date(timeIntervalSince1970: (Double(microseconds) / 1e6).rounded(.down))
            )
            let text = String(
                format: "%04d-%02d-%02dT%02d:%02d:%02d",
                parts.year ?? 0,
                parts.month ?? 0,
                parts.day ?? 0,
                parts.hour ?? 0,
                parts.minute ?? 0,
                parts.second ?? 0
            )
            let fraction = (microseconds % 1_000_000 + 1_000_000) % 1_000_000
            let digits = String("\(fraction + 1_000_000)".dropFirst())
            let format = ColumnFormat.iso8601(fractionDigits: 6)
            #expect(
                stored(format, .integer(microseconds)) == .text("\(text).\(digits)Z"),
                "\(date)"
            )
            #expect(value(format, ofStored: .text("\(text).\(digits)Z")) == .integer(microseconds))
        }
    }

    @Test("Every point in time that can be stored has a text")
    func ends() {
        for microseconds in [-210_866_803_200_000_000, -1, 0, Int64.max - 1] {
            for format in [ColumnFormat.iso8601(fractionDigits: 6), .dateTime(fractionDigits: 6)] {
                let text = stored(format, .integer(microseconds))
                #expect(text.flatMap { value(format, ofStored: $0) } == .integer(microseconds))
            }
        }
        #expect(
            stored(.iso8601, .integer(-210_866_803_200_000_000)) == .text("-004713-11-24T00:00:00Z")
        )
        // Outside of what every engine keeps.
        #expect(value(.iso8601, ofStored: .text("-004713-11-23T23:59:59Z")) == nil)
    }

    @Test("Numbers are read as dates in the unit of the format")
    func numbers() {
        let second: StorageValue = .integer(1_000_000)
        #expect(value(.secondsSince1970, ofStored: .integer(1)) == second)
        #expect(value(.secondsSince1970, ofStored: .real(1)) == second)
        #expect(value(.secondsSince1970, ofStored: .real(1.5)) == nil)
        #expect(value(.secondsSince1970, ofStored: .integer(.max)) == nil)
        #expect(value(.secondsSince1970, ofStored: .text("1")) == nil)
        #expect(value(.millisecondsSince1970, ofStored: .integer(1_000)) == second)
        #expect(value(.timeIntervalSince1970, ofStored: .real(1)) == second)
        #expect(value(.timeIntervalSince1970, ofStored: .integer(1)) == second)
        #expect(value(.timeIntervalSince1970, ofStored: .real(0.000_000_4)) == .integer(0))
        #expect(value(.timeIntervalSince1970, ofStored: .real(.infinity)) == nil)
        #expect(value(.timeIntervalSince1970, ofStored: .real(1e300)) == nil)
        #expect(
            value(.timeIntervalSinceReferenceDate, ofStored: .real(-978_307_199)) == second
        )
        #expect(value(.julianDay, ofStored: .real(2_440_588.5)) == .integer(86_400_000_000))
        #expect(value(.julianDay, ofStored: .integer(2_440_588)) == .integer(43_200_000_000))
        #expect(value(.julianDay, ofStored: .real(1e30)) == nil)
    }

    @Test("A UUID in the other case is no value, nor is what is none")
    func identifiers() {
        let upper = "ABCDEF01-2345-6789-ABCD-EF0123456789"
        let bytes: [UInt8] = [
            0xAB, 0xCD, 0xEF, 1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 1, 0x23, 0x45, 0x67,
            0x89,
        ]
        #expect(value(.uppercaseText, ofStored: .text(upper)) == .data(bytes))
        #expect(value(.lowercaseText, ofStored: .text(upper.lowercased())) == .data(bytes))
        #expect(stored(.uppercaseText, .data(bytes)) == .text(upper))
        #expect(stored(.lowercaseText, .data(bytes)) == .text(upper.lowercased()))
        for wrong in [upper.lowercased(), "{\(upper)}", String(upper.dropLast()), "", upper + "0"] {
            #expect(value(.uppercaseText, ofStored: .text(wrong)) == nil, "\(wrong)")
        }
        #expect(value(.lowercaseText, ofStored: .text(upper)) == nil)
        #expect(value(.uppercaseText, ofStored: .data(bytes)) == nil)
    }

    @Test("Amounts and answers are read as what they are written as")
    func amountsAndAnswers() throws {
        func amount(_ text: String) throws -> StorageValue {
            .data(try #require(OrderedDecimal.encode(text)))
        }
        #expect(try value(.text, ofStored: .text("12.50")) == amount("12.5"))
        #expect(try value(.text, ofStored: .text("-1e3")) == amount("-1000"))
        #expect(value(.text, ofStored: .text("12,5")) == nil)
        #expect(value(.text, ofStored: .text("NaN")) == nil)
        #expect(value(.text, ofStored: .integer(12)) == nil)
        #expect(try value(.real, ofStored: .real(0.1)) == amount("0.1"))
        #expect(try value(.real, ofStored: .integer(3)) == amount("3"))
        #expect(value(.real, ofStored: .real(.nan)) == nil)
        let cents = ColumnFormat.integer(fractionDigits: 2)
        #expect(try value(cents, ofStored: .integer(-1_234)) == amount("-12.34"))
        #expect(try value(cents, ofStored: .integer(.min)) == amount("-92233720368547758.08"))
        #expect(value(cents, ofStored: .real(1.5)) == nil)
        #expect(try stored(cents, amount("12.34")) == .integer(1_234))
        #expect(value(.text, ofStored: .text("true")) == .integer(1))
        #expect(value(.text, ofStored: .text("TRUE")) == nil)
        let answers = ColumnFormat.text(true: "Y", false: "N")
        #expect(value(answers, ofStored: .text("N")) == .integer(0))
        #expect(value(answers, ofStored: .text("n")) == nil)
        #expect(stored(answers, .integer(1)) == .text("Y"))
        #expect(value(.data, ofStored: .data(Array("[1]".utf8))) == .text("[1]"))
        #expect(value(.data, ofStored: .data([0xFF])) == nil)
        #expect(value(.data, ofStored: .text("[1]")) == nil)
    }

    @Test("A format that is not of the field's type makes the schema invalid")
    func wrongTypes() throws {
        struct Wrong: Stored {
            static nonisolated(unsafe) var format = ColumnFormat.day
            var id = 1
            var name = ""
            static var schema: Schema<Wrong> {
                Schema(
                    name: "Wrong",
                    fields: [
                        .field(\.id, "id", primaryKey: .given),
                        .field(\.name, "name").stored(as: format),
                    ]
                )
            }
            var primaryKey: Int { id }
            init(row: inout RowReader) throws {
                id = try row.read()
                name = try row.read()
            }
            func write(to row: inout RowWriter) throws {
                try row.write(id)
                try row.write(name)
            }
        }
        for format in Self.formats {
            Wrong.format = format
            let error = #expect(throws: DBClientError.self) {
                try Wrong.schema.entity.validate()
            }
            #expect(error?.code == .invalidSchema)
            #expect(error?.field == "name")
        }
    }
}
