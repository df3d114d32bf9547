/// What a column of PostgreSQL is to a model, by its type.
enum PostgreSQLColumnRule {
    /// The types of columns that are fields, and of the elements of arrays.
    static let kinds: [String: FieldKind] = [
        "bool": .boolean,
        "int2": .int,
        "int4": .int,
        "int8": .int,
        "float4": .float,
        "float8": .double,
        "numeric": .decimal,
        "text": .text,
        "varchar": .text,
        "bpchar": .text,
        "citext": .text,
        "bytea": .data,
        "timestamptz": .date,
        "timestamp": .date,
        "date": .date,
        "uuid": .uuid,
        "json": .json,
        "jsonb": .json,
    ]

    /// What is to be known of some types.
    private static let remarks: [String: String] = [
        "bpchar": "Filled up with blanks by the server.",
        "citext": "Compared by the server without regard to case.",
        "date": "A date without a time.",
        "timestamp": "A time without a zone.",
        "json": "Written back as equal JSON, not with the same blanks and order.",
    ]

    /// Why some types are no fields.
    private static let reasons: [String: String] = [
        "interval": "months and days have no length, so no Swift type keeps it",
        "money": "its form depends on the server's locale",
        "time": "a time without a day is no date",
        "timetz": "a time without a day is no date",
    ]

    /// A type of the server.
    struct ServerType {
        /// Its name, that of the base of a domain.
        var name: String
        /// Whether it is an enum type of the schema.
        var isEnum: Bool
        /// Whether another schema declares it, with a name that may be one of this one's.
        var isForeign = false
    }

    /// Returns what a column of a type, or of arrays of it, is to a model.
    static func meaning(of type: ServerType, isArray: Bool) -> ColumnMeaning {
        let kind: FieldKind
        if type.isEnum {
            guard !type.isForeign else {
                return .none(reason: "its enum type is of another schema")
            }
            kind = .enumeration(type.name)
        } else if let known = kinds[type.name] {
            kind = known
        } else {
            return .none(reason: reasons[type.name] ?? "no field holds values of its type")
        }
        return isArray
            ? .field(.list(kind, hasAbsent: false)) : .field(kind, remark: remarks[type.name])
    }
}
