import DBClientCore
import DBClientSQL

/// UUIDs that are kept as text, in lower case or in upper case.
enum UUIDText {
    /// Returns a query of the two texts of a UUID, as the column has them.
    ///
    /// - Parameters:
    ///   - value: The UUID.
    ///   - isPadded: Whether the column's type is `character`, which is compared with no other.
    /// - Returns: The query.
    static func spellings(of value: String, isPadded: Bool) -> String {
        let texts = isPadded ? "ARRAY[u, upper(u)]::bpchar[]" : "ARRAY[u, upper(u)]"
        return "SELECT unnest(\(texts)) FROM (SELECT (\(value))::uuid::text) AS uuids(u)"
    }

    /// Returns the text of a UUID for a row: as the row that has it has it, should there be one in the other case.
    ///
    /// Where a unique column is text, the server takes two cases of one UUID for two keys.
    static func key(of value: String, in table: String, column: String, like form: Form) -> String {
        let (own, other) = form.isUppercase ? ("upper(u)", "u") : ("u", "upper(u)")
        let wanted = form.isPadded ? "\(other)::bpchar" : other
        return """
            (SELECT coalesce((SELECT stored.\(column)::text FROM \(table) AS stored \
            WHERE stored.\(column) = \(wanted)), \(own)) FROM (SELECT (\(value))::uuid::text) AS uuids(u))
            """
    }

    /// The text form in which a column keeps UUIDs.
    struct Form {
        /// Whether new ones are written in upper case.
        let isUppercase: Bool
        /// Whether the type of the column is `character`.
        let isPadded: Bool

        /// Returns the form of a field's column; nil where that is none of UUIDs as text.
        init?(_ form: SQLColumnForm, of type: FieldType) {
            guard type == .uuid, let equated = form.equated else { return nil }
            isUppercase = form.stored.hasPrefix("upper")
            isPadded = equated.contains("bpchar")
        }
    }

    /// Returns a quoted name as a part of a template, whose marks a name may have.
    static func escaped(_ quoted: String) -> String {
        var text = "U&"
        for scalar in quoted.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "#", "?", "@", "`":
                let digits = String(scalar.value, radix: 16)
                text += "\\" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension SQLColumnForm {
    /// The form of a column of UUIDs as text.
    ///
    /// One that is written neither in lower nor in upper case fails the statement that reads it: it would not be found
    /// by its value.
    static func uuids(in declared: DeclaredType, isUppercase: Bool) -> SQLColumnForm {
        let isPadded = declared.name == "character"
        var form = SQLColumnForm()
        form.value = """
            (CASE WHEN (#)::text COLLATE "C" ~ '^([0-9a-f-]{36}|[0-9A-F-]{36})$' THEN (#)::text::uuid \
            ELSE ('neither in lower nor in upper case: ' || (#)::text)::uuid END)
            """
        form.equated = "ANY (ARRAY(\(UUIDText.spellings(of: "#", isPadded: isPadded))))"
        form.stored = isUppercase ? "upper((#)::uuid::text)" : "(#)::uuid::text"
        return form
    }
}
