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
        "time": .double,
    ]

    /// The types of elements of arrays that the library takes for lists; those with digits as well where they are rounded
    /// to none.
    private static let elements: Set<String> = [
        "bool", "int2", "int4", "int8", "float4", "float8", "numeric", "text", "varchar", "bytea",
        "timestamptz", "timestamp", "uuid",
    ]
    private static let rounded: Set<String> = ["numeric", "timestamptz", "timestamp"]

    /// What is to be known of some types.
    private static let remarks: [String: String] = [
        "bpchar": "Filled up with blanks by the server.",
        "citext": "Compared by the server without regard to case.",
        "date": "A date without a time.",
        "timestamp": "A time without a zone.",
        "time": "A time of day, in seconds since midnight.",
        "json": "Written back as equal JSON, not with the same blanks and order.",
    ]

    /// Why some types are no fields.
    private static let reasons: [String: String] = [
        "interval": "months and days have no length, so no Swift type keeps it",
        "money": "its form depends on the server's locale",
        "timetz": "no type of Swift is a time of day in a zone",
    ]

    /// A type of the server.
    struct ServerType {
        /// Its name, that of the base of a domain.
        var name: String
        /// Whether it is an enum type of the schema.
        var isEnum: Bool
        /// Whether another schema declares it, with a name that may be one of this one's.
        var isForeign = false
        /// Whether it says how many digits or characters a value has at most.
        var hasModifiers = false
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
            if isArray, !elements.contains(type.name) {
                return .none(reason: "no list holds elements of its type")
            }
            if isArray, type.hasModifiers, rounded.contains(type.name) {
                return .none(reason: "no list holds elements that are rounded")
            }
        } else {
            return .none(reason: reasons[type.name] ?? "no field holds values of its type")
        }
        return isArray
            ? .field(.list(kind, hasAbsent: false)) : .field(kind, remark: remarks[type.name])
    }
}
