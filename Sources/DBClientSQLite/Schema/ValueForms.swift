import DBClientCore
import DBClientSQL

/// Finds out in which form a column keeps its values whose declared type does not say it: the one in which every value
/// is that is there.
struct ValueForms {
    let connection: SQLiteConnection
    let table: String
    let column: String

    /// Returns what a field of the column holds; nil where its values are in no form that is known.
    func form(ofDeclared type: String) throws -> FieldForm? {
        // Nothing tells the forms apart.
        if try all("false") { return FieldForm(.text) }
        let type = type.uppercased()
        func says(_ words: String...) -> Bool { words.contains { type.contains($0) } }
        let isText = "typeof(v) = 'text'"
        if says("UUID", "GUID"), let form = try first(of: Self.identifiers, .uuid, where: isText) {
            return form
        }
        // A SQLite without functions for JSON cannot tell it from other texts.
        if says("JSON"), (try? all("\(isText) AND json_valid(v)")) == true {
            return FieldForm(.json)
        }
        if says("UUID", "GUID", "JSON", "STRING") {
            return try all(isText) ? FieldForm(.text) : nil
        }
        guard says("DATE", "TIME") else { return nil }
        if let form = try first(of: Self.instants, .date, where: "typeof(v) = 'text'") {
            return form
        }
        // A number, of which nothing says what it counts.
        if try all("typeof(v) = 'integer'") { return FieldForm(.integer(bits: 64, signed: true)) }
        if try all("typeof(v) IN ('integer', 'real')") { return FieldForm(.double) }
        return try all("typeof(v) = 'text'") ? FieldForm(.text) : nil
    }

    private func first(
        of candidates: [(format: ColumnFormat, condition: String)],
        _ type: FieldType,
        where condition: String
    ) throws -> FieldForm? {
        let found = try candidates.first { try all("\(condition) AND \($0.condition)") }
        return found.map { FieldForm(type).stored(as: $0.format) }
    }

    /// Whether a condition is true of every value that is there.
    private func all(_ condition: String) throws -> Bool {
        var text = SQLText(connection.dialect)
        text.append("SELECT 1 FROM (SELECT ")
        text.append(identifier: column)
        text.append(" AS v FROM ")
        text.append(table: table)
        text.append(") WHERE v IS NOT NULL AND (\(condition)) IS NOT TRUE LIMIT 1")
        var isTrue = true
        try connection.each(text.sql, []) { _ in isTrue = false }
        return isTrue
    }

    private static let identifiers: [(ColumnFormat, String)] = [
        (.uppercaseText, identifier("0-9A-F")), (.lowercaseText, identifier("0-9a-f")),
    ]

    private static func identifier(_ digits: String) -> String {
        let parts = [8, 4, 4, 4, 12].map { String(repeating: "[\(digits)]", count: $0) }
        return "v GLOB '\(parts.joined(separator: "-"))'"
    }

    /// Those that most programs write come first.
    ///
    /// SQLite leaves a day that a month does not have as it is, unless something is added to it.
    private static let instants: [(ColumnFormat, String)] = {
        var formats: [(ColumnFormat, String)] = [(.day, "date(v, '+0 days') = v")]
        for digits in [0, 3, 6, 1, 2, 4, 5] {
            formats.append((.dateTime(fractionDigits: digits), instant(" ", digits, "")))
            formats.append((.iso8601(fractionDigits: digits), instant("T", digits, "Z")))
            formats.append(
                (.iso8601(fractionDigits: digits, hasZone: false), instant("T", digits, ""))
            )
        }
        return formats
    }()

    /// Whether a value is a day of the calendar and a time in one spelling.
    private static func instant(_ separator: String, _ digits: Int, _ zone: String) -> String {
        func number(_ width: Int) -> String { String(repeating: "[0-9]", count: width) }
        let day = "\(number(4))-\(number(2))-\(number(2))"
        let time = "\(number(2)):\(number(2)):\(number(2))"
        let fraction = digits == 0 ? "" : ".\(number(digits))"
        return """
            v GLOB '\(day)\(separator)\(time)\(fraction)\(zone)' \
            AND strftime('%Y-%m-%d %H:%M:%S', substr(v, 1, 19), '+0 days')
                = replace(substr(v, 1, 19), 'T', ' ')
            """
    }
}
