import DBClientCore
import DBClientSQL

/// How text, members and elements are looked for.
private enum Form: UInt32 {
    case isPresent
    case range
    case atLeast
    case prefixFolded
    case suffix
    case suffixFolded
    case contains
    case containsFolded
    case like
    case likeFolded
    case members
    case element
    /// With the comparison in the upper bits.
    case elementCount
}

extension PostgreSQLDialect {
    func form(of test: FieldTest) throws -> SQLForm {
        switch test {
        case .isIn(let values): try form(ofMembers: values)
        case .matches(let pattern): form(of: pattern)
        case .hasElement(let json): form(.element, json)
        case .elementCount(let comparison, let number):
            SQLForm(
                Form.elementCount.rawValue | UInt32(comparison.rawValue) << 8,
                [.integer(Int64(number))]
            )
        }
    }

    private func form(of pattern: TextPattern) -> SQLForm {
        let ignoresCase = pattern.ignoresCase
        let text =
            ignoresCase
            ? String(decoding: Array(asciiFolded(pattern.text)), as: UTF8.self) : pattern.text
        if text.isEmpty, pattern.kind != .wildcard { return form(.isPresent) }
        let length = StorageValue.integer(Int64(text.unicodeScalars.count))
        switch pattern.kind {
        case .prefix where ignoresCase: return form(.prefixFolded, length, .text(text))
        case .prefix:
            // A range, so that an index serves it.
            guard let end = TextSuccessor.successor(of: text) else {
                return form(.atLeast, .text(text))
            }
            return form(.range, .text(text), .text(end))
        case .suffix: return form(ignoresCase ? .suffixFolded : .suffix, length, .text(text))
        case .contains: return form(ignoresCase ? .containsFolded : .contains, .text(text))
        case .wildcard:
            return form(ignoresCase ? .likeFolded : .like, .text(Self.likePattern(text)))
        }
    }

    /// Returns a pattern for LIKE in which only our wildcards are its.
    private static func likePattern(_ pattern: String) -> String {
        var like = ""
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case "*": like += "%"
            case "?": like += "_"
            case "%", "_", "\\":
                like += "\\"
                like.unicodeScalars.append(scalar)
            default: like.unicodeScalars.append(scalar)
            }
        }
        return like
    }

    /// One array, whatever the number of values.
    private func form(ofMembers values: [StorageValue]) throws -> SQLForm {
        form(.members, ValueList.pack(values))
    }

    /// An array for each column, whatever the number of keys.
    func form(ofKeys keys: [[StorageValue]]) -> SQLForm {
        SQLForm(
            0,
            (keys.first ?? []).indices.map { column in
                ValueList.pack(keys.map { $0[column] })
            }
        )
    }

    private func form(_ form: Form, _ constants: StorageValue...) -> SQLForm {
        SQLForm(form.rawValue, constants)
    }

    /// A test for values in a list, by the bare column where an index over it serves.
    private static func members(of column: SQLColumn) -> String {
        guard let constant = column.form.equated ?? column.form.compared else {
            return "@ = ANY (?)"
        }
        if let uuids = UUIDText.Form(column.form, of: column.type) {
            let texts = UUIDText.spellings(of: "\"member\"", isPadded: uuids.isPadded)
            return """
                ` = ANY (ARRAY(SELECT "text" FROM unnest(?::uuid[]) AS "members"("member"), \
                LATERAL (\(texts)) AS "texts"("text")))
                """
        }
        let member = constant.replacing("#", with: "\"members\".\"member\"")
        return """
            ` = ANY (ARRAY(SELECT \(member) \
            FROM unnest(?::\(ServerType.name(of: column.type))[]) AS "members"("member")))
            """
    }

    func template(of form: SQLForm, on column: SQLColumn) -> String {
        guard let kind = Form(rawValue: form.identifier & 0xFF) else { return "" }
        // What is of another type or collation than the library's own is made that.
        let ordered = column.form.ordered == nil ? "@" : "@ COLLATE \"C\""
        let json = column.form == .own ? "@" : "(@)::json"
        switch kind {
        case .isPresent: return "@ IS NOT NULL"
        case .range: return "(\(ordered) >= ? AND \(ordered) < ?)"
        case .atLeast: return "\(ordered) >= ?"
        case .prefixFolded: return "lower(left(@, ?::integer) COLLATE \"C\") = ?"
        case .suffix: return "right(@, ?::integer) = ?"
        case .suffixFolded: return "lower(right(@, ?::integer) COLLATE \"C\") = ?"
        case .contains: return "strpos(@, ?) > 0"
        case .containsFolded: return "strpos(lower(@ COLLATE \"C\"), ?) > 0"
        case .like: return "@ LIKE ?"
        case .likeFolded: return "lower(@ COLLATE \"C\") LIKE ?"
        case .members:
            return switch column.type {
            case .integer: "@ = ANY (?::bigint[])"
            case .json where column.form.compared != nil: "@ = ANY (?::text[]::jsonb[])"
            case .json: "(@)::text = ANY (?::text[])"
            default: Self.members(of: column)
            }
        case .element:
            // Elements keep the text that they were written with, but in `jsonb`.
            let areEqual =
                column.form.compared == nil
                ? "\"element\".\"value\"::text = ?"
                : "\"element\".\"value\"::text::jsonb = ?::text::jsonb"
            return """
                CASE WHEN json_typeof(\(json)) = 'array' THEN EXISTS (SELECT 1 \
                FROM json_array_elements(\(json)) AS "element"("value") \
                WHERE \(areEqual)) ELSE FALSE END
                """
        case .elementCount:
            let comparison = Comparison(rawValue: UInt8(form.identifier >> 8)) ?? .equal
            return """
                CASE json_typeof(\(json)) WHEN 'array' THEN json_array_length(\(json)) \
                WHEN 'object' THEN (SELECT COUNT(*) FROM json_object_keys(\(json))) END \
                \(comparison.sign(differing: Self.traits.isDistinctFrom)) ?::bigint
                """
        }
    }
}
