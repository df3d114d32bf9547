import DBClientCore
import DBClientSQL

/// How text, members and elements are looked for.
///
/// The values go into `SQLForm.identifier`; a list of
/// bound members has its length in the upper bits.
private enum Form: UInt32 {
    case isPresent
    case range
    case atLeast
    case prefixFolded
    case suffix
    case suffixFolded
    case contains
    case containsFolded
    case glob
    case globFolded
    case wildcard
    case wildcardFolded
    case members
    case membersJSON
    case membersReal
    case membersBytes
    case elementText
    case elementInteger
    case elementNumber
    case elementTrue
    case elementFalse
    case elementNull
    case elementJSON
    /// With the comparison in the upper bits.
    case elementCount
}

extension SQLiteDialect {
    func form(of test: FieldTest) -> SQLForm {
        switch test {
        case .isIn(let values): form(ofMembers: values)
        case .matches(let pattern): form(of: pattern)
        case .hasElement(let json): form(ofElement: json)
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
        case .suffix:
            let start = StorageValue.integer(-Int64(text.unicodeScalars.count))
            return form(ignoresCase ? .suffixFolded : .suffix, start, .text(text))
        case .contains: return form(ignoresCase ? .containsFolded : .contains, .text(text))
        case .wildcard:
            if Self.isBeyondGlob(text) {
                return form(ignoresCase ? .wildcardFolded : .wildcard, .text(text))
            }
            // GLOB's own `*` and `?` are ours; its `[` is not. By scalars, because a bracket with an
            // accent on it is another character to Swift.
            var glob = ""
            for scalar in text.unicodeScalars {
                if scalar == "[" { glob += "[[]" } else { glob.unicodeScalars.append(scalar) }
            }
            return form(ignoresCase ? .globFolded : .glob, .text(glob))
        }
    }

    /// Whether GLOB would match a pattern otherwise: it takes U+FFFD, U+FFFE and U+FFFF for one
    /// another, and refuses patterns of over 50,000 bytes.
    private static func isBeyondGlob(_ pattern: String) -> Bool {
        pattern.utf8.count > 10_000
            || pattern.unicodeScalars.contains { (0xFFFD...0xFFFF).contains($0.value) }
    }

    /// Lists up to this long are bound value by value, their lengths rounded up to a power of two so
    /// that few statements serve them all; longer ones are bound as one value.
    private static var boundMembers: Int { 128 }

    private func form(ofMembers values: [StorageValue]) -> SQLForm {
        if values.count > Self.boundMembers { return longForm(ofMembers: values) }
        var rounded = 1
        while rounded < values.count { rounded *= 2 }
        var constants = values
        while constants.count < rounded { constants.append(values[values.count - 1]) }
        return SQLForm(Form.members.rawValue | UInt32(rounded) << 8, constants)
    }

    private func longForm(ofMembers values: [StorageValue]) -> SQLForm {
        switch values[0] {
        case .integer, .real, .null:
            // A number with fractions is its bits, which JSON keeps exactly.
            var json = "["
            var isReal = false
            for value in values {
                let integer: Int64
                switch value {
                case .integer(let number): integer = number
                case .real(let number):
                    integer = Int64(bitPattern: number.bitPattern)
                    isReal = true
                default: continue
                }
                if json.utf8.count > 1 { json += "," }
                json += String(integer)
            }
            return form(isReal ? .membersReal : .membersJSON, .text(json + "]"))
        case .text, .data:
            // One value with all the bytes, and where each of them begins and ends.
            var bytes: [UInt8] = []
            var spans = "["
            for value in values {
                let start = bytes.count
                value.withSlot { bytes.append(contentsOf: $0.bytes) }
                if spans.utf8.count > 1 { spans += "," }
                spans += "[\(start + 1),\(bytes.count - start)]"
            }
            return SQLForm(
                Form.membersBytes.rawValue | (values[0].isText ? 1 : 0) << 8,
                [.data(bytes), .text(spans + "]")]
            )
        }
    }

    private func form(ofElement json: StorageValue) -> SQLForm {
        guard case .text(let json) = json else { return form(.elementNull) }
        switch json.utf8.first {
        case UInt8(ascii: "\""):
            // SQLite undoes the escapes of both sides, so the texts themselves are compared.
            return form(.elementText, .text("[\(json)]"))
        case UInt8(ascii: "t"): return form(.elementTrue)
        case UInt8(ascii: "f"): return form(.elementFalse)
        case UInt8(ascii: "n"): return form(.elementNull)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return form(.elementJSON, .text(json))
        default:
            if let integer = Int64(json) { return form(.elementInteger, .integer(integer)) }
            // A number that a double does not keep is compared as it is written.
            let digits = json.utf8.count { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
            if digits <= 17, let real = Double(json) { return form(.elementNumber, .real(real)) }
            return form(.elementJSON, .text(json))
        }
    }

    private func form(_ form: Form, _ constants: StorageValue...) -> SQLForm {
        SQLForm(form.rawValue, constants)
    }

    func template(of form: SQLForm, on column: SQLColumn) -> String {
        guard let kind = Form(rawValue: form.identifier & 0xFF) else { return "" }
        let detail = form.identifier >> 8
        // A constant in the column's own form is compared with the bare column, so that an index serves.
        let compared = column.form.compared
        let member = compared == nil ? "#" : "`"
        func constant(_ value: String) -> String {
            compared.map { $0.replacing("#", with: value) } ?? value
        }
        switch kind {
        case .isPresent: return "# IS NOT NULL"
        case .range: return "(# >= ? AND # < ?)"
        case .atLeast: return "# >= ?"
        case .prefixFolded: return "lower(substr(#, 1, ?)) = ?"
        case .suffix: return "substr(#, ?) = ?"
        case .suffixFolded: return "lower(substr(#, ?)) = ?"
        case .contains: return "instr(#, ?) > 0"
        case .containsFolded: return "instr(lower(#), ?) > 0"
        case .glob: return "# GLOB ?"
        case .globFolded: return "lower(#) GLOB ?"
        case .wildcard: return "\(SQLiteFunctions.wildcard)(#, ?)"
        case .wildcardFolded: return "\(SQLiteFunctions.wildcard)(lower(#), ?)"
        case .members where detail == 1: return "\(member) = \(constant("?"))"
        case .members:
            let placeholders = [String](repeating: constant("?"), count: Int(detail))
            return "\(member) IN (\(placeholders.joined(separator: ", ")))"
        case .membersJSON: return "\(member) IN (SELECT \(constant("value")) FROM json_each(?))"
        case .membersReal:
            let real = "\(SQLiteFunctions.real)(value)"
            return "\(member) IN (SELECT \(constant(real)) FROM json_each(?))"
        case .membersBytes:
            let slice =
                "substr(blob.bytes, json_extract(value, '$[0]'), json_extract(value, '$[1]'))"
            let value = detail == 1 ? "CAST(\(slice) AS TEXT)" : slice
            return """
                \(member) IN (WITH blob(bytes) AS (SELECT ?) \
                SELECT \(constant(value)) FROM blob, json_each(?))
                """
        case .elementText:
            return element(column) {
                "\($0).type = 'text' AND \($0).value = json_extract(?, '$[0]')"
            }
        case .elementInteger:
            return element(column) { "\($0).type = 'integer' AND \($0).value = ?" }
        case .elementNumber:
            return element(column) { "\($0).type IN ('integer', 'real') AND \($0).value = ?" }
        case .elementTrue: return element(column) { "\($0).type = 'true'" }
        case .elementFalse: return element(column) { "\($0).type = 'false'" }
        case .elementNull: return element(column) { "\($0).type = 'null'" }
        case .elementJSON: return element(column) { "@ -> \($0).fullkey = ?" }
        case .elementCount:
            let comparison = Comparison(rawValue: UInt8(detail)) ?? .equal
            return """
                CASE WHEN # IS NULL THEN \(comparison == .notEqual ? "TRUE" : "FALSE") \
                ELSE (SELECT COUNT(*) FROM json_each(@)) \(comparison.sign(differing: "<>")) ? END
                """
        }
    }

    /// Inside, the names of `json_each` hide the table's, so the column says whose it is.
    private func element(_ column: SQLColumn, _ condition: (String) -> String) -> String {
        let isAmbiguous = asciiFolded(column.table).elementsEqual("element".utf8)
        let alias = isAmbiguous ? "item" : "element"
        return "EXISTS (SELECT 1 FROM json_each(@) AS \(alias) WHERE \(condition(alias)))"
    }
}

extension StorageValue {
    fileprivate var isText: Bool {
        if case .text = self { true } else { false }
    }
}
