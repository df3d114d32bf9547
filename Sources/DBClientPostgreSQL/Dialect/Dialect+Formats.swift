import DBClientCore
import DBClientSQL

extension SQLColumnForm {
    /// Creates the form of a column that keeps a field in a format which its declared type does not say; nil where the
    /// type says it, or cannot hold the format.
    init?(_ format: ColumnFormat, of type: FieldType, in declared: DeclaredType) {
        self.init()
        let isOfText = ["text", "character varying"].contains(declared.name)
        let isWhole = ["smallint", "integer", "bigint"].contains(declared.name)
        let isReal = declared.name == "double precision"
        switch format.kind {
        case .unitsSince1970(let microseconds) where isWhole:
            let perSecond = 1_000_000 / microseconds
            value = """
                ((TIMESTAMP 'epoch' + (#)::bigint / \(86_400 * perSecond) * INTERVAL '1 day' \
                + (#)::bigint % \(86_400 * perSecond) * INTERVAL '\(microseconds) microseconds') \
                AT TIME ZONE 'UTC')
                """
            stored = "(extract(epoch FROM (#)::timestamp with time zone) * \(perSecond))::bigint"
        case .interval(let start) where isReal:
            value = "to_timestamp((#)::double precision + \(start))"
            stored =
                "(extract(epoch FROM (#)::timestamp with time zone) - \(start))::double precision"
        case .instantText(let digits, let isISO8601, let hasZone) where isOfText:
            value = InstantTextForm.value
            stored = InstantTextForm.stored(
                separator: isISO8601 ? "T" : " ",
                fractionDigits: digits,
                hasZone: hasZone
            )
        case .day where isOfText:
            value = InstantTextForm.value
            stored = InstantTextForm.stored(separator: nil)
        case .julianDay where isReal:
            // To the millisecond, which is what the number keeps.
            let milliseconds = "floor(((#)::double precision - 2440587.5) * 86400000 + 0.5)::bigint"
            value = """
                ((TIMESTAMP 'epoch' + (\(milliseconds)) / 86400000 * INTERVAL '1 day' \
                + (\(milliseconds)) % 86400000 * INTERVAL '1 millisecond') AT TIME ZONE 'UTC')
                """
            stored = """
                ((extract(epoch FROM (#)::timestamp with time zone) * 1000)::bigint::double precision \
                / 86400000 + 2440587.5)
                """
        case .uuidText(let isUppercase) where isOfText || declared.name == "character":
            self = .uuids(in: declared, isUppercase: isUppercase)
        case .plainText where isOfText && type == .boolean: setWords("'true'", "'false'")
        // A mark of a template would be replaced.
        case .words(let yes, let no) where isOfText && !(yes + no).contains { "#?@`".contains($0) }:
            setWords(yes.sqlLiteral, no.sqlLiteral)
        case .plainText where isOfText && type == .decimal:
            value = "(#)::text::numeric"
            stored = "(#)::numeric::text"
        case .real where isReal:
            value = "(#)::text::numeric"
            stored = "(#)::numeric::double precision"
        case .integer(fractionDigits: let power) where isWhole:
            let unit = power == 0 ? "1" : "0." + String(repeating: "0", count: power - 1) + "1"
            value = "((#)::numeric * \(unit))"
            stored = "((#)::numeric * 1\(String(repeating: "0", count: power)))::bigint"
        case .data where declared.name == "bytea":
            value = "convert_from(#, 'UTF8')::json"
            stored = "convert_to((#)::text, 'UTF8')"
        default: return nil
        }
        rounding = .format(format)
    }

    private mutating func setWords(_ yes: String, _ no: String) {
        // What is neither is no boolean, and fails.
        value = """
            (CASE (#)::text COLLATE "C" WHEN \(yes) THEN TRUE WHEN \(no) THEN FALSE \
            ELSE ('not a word: ' || (#)::text)::boolean END)
            """
        stored = "(CASE (#)::boolean WHEN TRUE THEN \(yes) WHEN FALSE THEN \(no) END)"
    }
}
