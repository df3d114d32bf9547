import DBClientCore
import DBClientSQL

// What columns of other programs hold, and how statements write it.
extension PostgreSQLDialect {
    func form(of column: SQLTableDescription.Column, for field: FieldSchema) -> SQLColumnForm? {
        let declared = DeclaredType(column.underlyingType)
        if column.isEnumeration {
            // The name is a part of templates.
            if declared.element.contains(where: { "#?@`".contains($0) }) { return nil }
            if declared.isArray {
                return field.form.elementType == .text ? .list(declared, .labels) : nil
            }
            return field.type == .text ? .labels(of: column.underlyingType) : nil
        }
        // A column of the library's own has the server's type for the field.
        let ownFormat = column.written(in: self) == nil ? field.form.format : nil
        if let format = formats?(field.type) ?? ownFormat, column.underlyingType == column.type,
            let form = SQLColumnForm(format, of: field.type, in: declared)
        {
            return form
        }
        guard var form = Self.form(of: declared, for: field) else { return nil }
        if column.underlyingType != column.type {
            // Neither the order of its text nor an operator of `json` would be those of the field.
            if declared.name == "jsonb" { return nil }
            if ["character varying", "character"].contains(declared.name), !declared.isArray {
                form.maximumLength = declared.modifiers.first
            }
            // A parameter that is compared with a column of a domain would be of the domain.
            let plain = "(#)::\(column.underlyingType)"
            form.value =
                form.value == "#"
                ? Self.plain(plain, field) : form.value.replacing("#", with: plain)
            if form.stored == "#" { form.stored = plain }
            form.compared = nil
            form.equated = nil
        }
        return form
    }

    /// Returns the form of lists that the arrays of a column are read as; nil where it has none that is known.
    func formOfLists(in column: SQLTableDescription.Column, hasAbsent: Bool) -> FieldForm? {
        guard DeclaredType(column.underlyingType).isArray else { return nil }
        let types: [FieldType] = [
            .integer(bits: 64, signed: true), .text, .double, .float, .boolean, .decimal, .date,
            .uuid,
            .data,
        ]
        return types.lazy
            .map { FieldForm("json[\($0.name)\(hasAbsent ? "?" : "")]") }
            .first { list in
                let field = FieldSchema(
                    name: column.name,
                    type: .json,
                    isOptional: true,
                    form: list
                )
                return self.form(of: column, for: field) != nil
            }
    }

    /// Returns a value of a column that holds the field as it is, as one of the library's own column.
    private static func plain(_ value: String, _ field: FieldSchema) -> String {
        switch field.type {
        case .text, .url: "(\(value)::text COLLATE \"C\")"
        case .integer: "\(value)::bigint"
        case .json: value
        default: "\(value)::\(ServerType.name(of: field.type))"
        }
    }

    private static func form(of declared: DeclaredType, for field: FieldSchema) -> SQLColumnForm? {
        if declared.isArray {
            guard field.type == .json, let type = field.form.elementType else { return nil }
            return SQLColumnForm.Element(declared, type).map { .list(declared, $0) }
        }
        switch (field.type, declared.name) {
        case (.boolean, "boolean"): return .own
        case (.boolean, "smallint"), (.boolean, "integer"), (.boolean, "bigint"):
            return SQLColumnForm(
                value: "(# <> 0)",
                stored: "((#)::boolean::integer)::\(declared.name)"
            )
        case (.integer, "smallint"), (.integer, "integer"), (.integer, "bigint"): return .own
        // One with a fraction is read as it is, and refused.
        case (.integer, "numeric"): return SQLColumnForm(compared: "#")
        case (.double, "double precision"): return .own
        case (.double, "real"):
            return SQLColumnForm(
                value: "(#)::double precision",
                compared: "(#)::double precision",
                stored: "(#)::real",
                rounding: .singles
            )
        case (.double, "time without time zone"):
            // Seconds since midnight; the function refuses what is no time of a day.
            return SQLColumnForm(
                value: "extract(epoch FROM #)::double precision",
                stored: """
                    (SELECT make_time(floor(s / 3600)::integer, (floor(s / 60) - floor(s / 3600) * 60)::integer, \
                    s - floor(s / 60) * 60) FROM (SELECT (#)::double precision) AS seconds(s))
                    """,
                rounding: .decimals(declared.modifiers.first ?? 6)
            )
        case (.double, "numeric"):
            // By its text, which has all digits of a double.
            return SQLColumnForm(
                value: "(#)::double precision",
                stored: "((#)::double precision::text)::numeric",
                rounding: declared.modifiers.isEmpty ? nil : .decimals(declared.scale)
            )
        case (.float, "real"), (.float, "double precision"): return .own
        case (.text, "text"), (.text, "character varying"), (.url, "text"),
            (.url, "character varying"):
            return .own
        case (.text, "character"):
            var form = SQLColumnForm(
                value: "((#)::text COLLATE \"C\")",
                stored: "(#)::text",
                rounding: .trimmed
            )
            // To the type two texts are equal that differ in blanks at their ends, so one that has any is none.
            form.equated = "substring((#)::text FROM '^(|.*[^ ])$')::character varying::bpchar"
            return form
        case (.text, "citext"):
            return SQLColumnForm(value: "((#)::text COLLATE \"C\")", stored: "(#)::text")
        case (.data, "bytea"): return .own
        case (.date, _): return Self.form(ofInstants: declared)
        case (.uuid, "uuid"): return .own
        case (.uuid, "text"), (.uuid, "character varying"), (.uuid, "character"):
            return SQLColumnForm.uuids(in: declared, isUppercase: false)
        case (.decimal, "numeric"):
            return SQLColumnForm(
                rounding: declared.modifiers.isEmpty ? nil : .decimals(declared.scale)
            )
        case (.json, "json"): return .own
        case (.json, "jsonb"): return SQLColumnForm(compared: "(#)::jsonb")
        default: return nil
        }
    }

    private static func form(ofInstants declared: DeclaredType) -> SQLColumnForm? {
        let digits = declared.modifiers.first ?? 6
        let rounding: SQLRounding? =
            digits < 6 ? .instants((0..<6 - digits).reduce(1) { step, _ in step * 10 }) : nil
        let instant = "((#)::timestamp with time zone AT TIME ZONE 'UTC')"
        switch declared.name {
        case "timestamp with time zone": return SQLColumnForm(rounding: rounding)
        case "timestamp without time zone":
            return SQLColumnForm(
                value: "(# AT TIME ZONE 'UTC')",
                compared: instant,
                stored: instant,
                rounding: rounding
            )
        case "date":
            return SQLColumnForm(
                value: "((#)::timestamp AT TIME ZONE 'UTC')",
                compared: instant,
                stored: "\(instant)::date",
                rounding: .days
            )
        default: return nil
        }
    }
}

/// A type as the server writes it: `numeric(10,2)`, `timestamp(3) without time zone`, `text[]`.
struct DeclaredType {
    /// The name without modifiers, and without the schema of a type that is not the server's own.
    let name: String
    /// The numbers in parentheses, such as precision and scale; empty without any.
    let modifiers: [Int]
    /// Whether it is that of lists of `name`.
    let isArray: Bool
    /// The name and the modifiers, without the mark of an array.
    let element: String

    init(_ text: String) {
        isArray = text.hasSuffix("[]")
        element = isArray ? String(text.dropLast(2)) : text
        guard let open = element.firstIndex(of: "("), let close = element.firstIndex(of: ")") else {
            name = element.hasSuffix(".citext") ? "citext" : element
            modifiers = []
            return
        }
        modifiers = element[element.index(after: open)..<close].split(separator: ",")
            .compactMap { Int($0) }
        name = String(element[..<open] + element[element.index(after: close)...])
    }

    /// The digits after the point of a `numeric` with modifiers.
    var scale: Int { modifiers.count > 1 ? modifiers[1] : 0 }
}

extension SQLColumnForm {
    /// Creates a form of another column than the library's own.
    fileprivate init(
        value: String = "#",
        compared: String? = nil,
        stored: String = "#",
        rounding: SQLRounding? = nil
    ) {
        self.init()
        self.value = value
        self.compared = compared
        self.stored = stored
        self.rounding = rounding
    }

    /// The form of a column of labels, for a field of texts.
    fileprivate static func labels(of type: String) -> SQLColumnForm {
        SQLColumnForm(value: "((#)::text COLLATE \"C\")", stored: "((#)::text)::\(type)")
    }

    /// The form of an array, for a field of lists: their JSON, as the library writes it.
    fileprivate static func list(_ declared: DeclaredType, _ element: Element) -> SQLColumnForm {
        SQLColumnForm(
            value: """
                (CASE WHEN # IS NULL THEN NULL ELSE array_to_json(ARRAY(SELECT \(element.value) \
                FROM unnest(#) AS elements(element))) END)
                """,
            stored: """
                (SELECT CASE WHEN list IS NULL THEN NULL ELSE ARRAY(SELECT (\(element.stored))::\(declared.name) \
                FROM json_array_elements_text(list) AS elements(element)) END \
                FROM (SELECT (#)::text::json) AS lists(list))
                """
        )
    }

    /// How an element of an array is turned into JSON, and its text into an element.
    fileprivate struct Element {
        var value = "element"
        var stored = "element"

        /// The element of a list of an enumeration, whose labels are written as texts.
        static let labels = Element(value: "element::text")

        private init(value: String) { self.value = value }

        init?(_ declared: DeclaredType, _ type: FieldType) {
            let instant = """
                (TIMESTAMP 'epoch' + element::bigint / 86400000000 * INTERVAL '1 day' \
                + element::bigint % 86400000000 * INTERVAL '1 microsecond')
                """
            switch (type, declared.name) {
            case (.text, "text"), (.text, "character varying"), (.url, "text"),
                (.url, "character varying"), (.boolean, "boolean"), (.integer, "smallint"),
                (.integer, "integer"), (.integer, "bigint"), (.double, "double precision"),
                (.float, "real"), (.float, "double precision"):
                break
            case (.decimal, "numeric") where declared.modifiers.isEmpty: break
            case (.uuid, "uuid"): value = "upper(element::text)"
            case (.data, "bytea"):
                value = "translate(encode(element, 'base64'), chr(10), '')"
                stored = "decode(element, 'base64')"
            case (.date, "timestamp with time zone") where declared.modifiers.isEmpty:
                value = "(extract(epoch FROM element) * 1000000)::bigint"
                stored = "\(instant) AT TIME ZONE 'UTC'"
            case (.date, "timestamp without time zone") where declared.modifiers.isEmpty:
                value = "(extract(epoch FROM element AT TIME ZONE 'UTC') * 1000000)::bigint"
                stored = instant
            default: return nil
            }
        }
    }
}
