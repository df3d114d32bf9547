import DBClientCore
import DBClientSQL

/// Finds out in which form a column of SQLite keeps its values, where every value that is there is in one.
///
/// A declared type alone does not say it, so all rows are looked at.
struct SQLiteFormatProbe {
    let transaction: ReadTransaction
    let table: String
    let column: String

    /// Returns the format of a column and the kind of its field; nil where a value is in no form, or none is there to
    /// tell by.
    func format(
        ofDeclared type: String,
        _ sample: SQLiteColumnRule.Sample
    ) throws -> (ColumnFormat, FieldKind)? {
        let type = type.uppercased()
        func says(_ words: String...) -> Bool { words.contains { type.contains($0) } }
        let hasNumbers = sample.hasIntegers || sample.hasReals
        if sample.hasBlobs || sample.hasTexts && hasNumbers { return nil }
        if says("NUMERIC", "DECIMAL", "MONEY", "CURRENCY"), !says("INT", "CHAR", "TEXT") {
            // Whole numbers beyond 2^53 are no doubles.
            let isReal =
                "CASE typeof(v) WHEN 'integer' THEN abs(v) <= 9007199254740992 ELSE abs(v) < 1e100 END"
            return try !sample.hasTexts && all(isReal) ? (.real, .decimal) : nil
        }
        guard sample.hasTexts else { return nil }
        if says("UUID", "GUID") { return try first(of: Self.identifiers).map { ($0, .uuid) } }
        if says("BOOL") { return try first(of: Self.words).map { ($0, .boolean) } }
        if says("DATE", "TIME") { return try first(of: Self.instants).map { ($0, .date) } }
        return nil
    }

    private func first(
        of candidates: [(format: ColumnFormat, condition: String)]
    ) throws -> ColumnFormat? {
        try candidates.first { try all($0.condition) }?.format
    }

    /// Whether a condition, which is a constant of this file, is true of every value that is there.
    private func all(_ condition: String) throws -> Bool {
        try transaction.rows(
            """
            SELECT 1 FROM (SELECT \(identifier: column) AS v FROM \(identifier: table))
            WHERE v IS NOT NULL AND (\(raw: condition)) IS NOT TRUE LIMIT 1
            """
        )
        .isEmpty
    }

    private static let identifiers: [(ColumnFormat, String)] = [
        (.uppercaseText, identifier("0-9A-F")), (.lowercaseText, identifier("0-9a-f")),
    ]

    private static func identifier(_ digits: String) -> String {
        let parts = [8, 4, 4, 4, 12].map { String(repeating: "[\(digits)]", count: $0) }
        return "v GLOB '\(parts.joined(separator: "-"))'"
    }

    private static let words: [(ColumnFormat, String)] = [
        (.text, "v IN ('true', 'false')"),
        (.text(true: "TRUE", false: "FALSE"), "v IN ('TRUE', 'FALSE')"),
        (.text(true: "t", false: "f"), "v IN ('t', 'f')"),
        (.text(true: "Y", false: "N"), "v IN ('Y', 'N')"),
        (.text(true: "yes", false: "no"), "v IN ('yes', 'no')"),
    ]

    /// Those that most programs write come first.
    ///
    /// SQLite leaves a day that a month does not have as it is, unless something is added to it.
    private static let instants: [(ColumnFormat, String)] = {
        var formats: [(ColumnFormat, String)] = [
            (.day, "date(v, '+0 days') = v")
        ]
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
