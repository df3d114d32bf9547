import DBClientCore

/// Holds a value that has a key of two fields.
struct PlacedIssue: Stored, Equatable {
    let id: Int
    var issue: Issue?

    init(_ id: Int, issue: Issue? = nil) {
        self.id = id
        self.issue = issue
    }

    static let schema = Schema<PlacedIssue>(
        name: "PlacedIssue",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.issue, "issue")]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        issue = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(issue)
    }
}

/// The same entity, whose model knows the fields that hold the key as such, and one between them.
struct ApartIssue: Stored, Equatable {
    let id: Int
    var series: String?
    var note: String?
    var number: Int?

    static let schema = Schema<ApartIssue>(
        name: "PlacedIssue",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.series, "issue_series"),
            .field(\.note, "note"),
            .field(\.number, "issue_number"),
        ]
    )
    var primaryKey: Int { id }

    init(_ id: Int, series: String? = nil, note: String? = nil, number: Int? = nil) {
        self.id = id
        self.series = series
        self.note = note
        self.number = number
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        series = try row.read()
        note = try row.read()
        number = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(series)
        try row.write(note)
        try row.write(number)
    }
}

/// The same entity with the note before the fields that hold the key.
struct TogetherIssue: Stored, Equatable {
    let id: Int
    var note: String?
    var series: String?
    var number: Int?

    init(_ id: Int, note: String? = nil, series: String? = nil, number: Int? = nil) {
        self.id = id
        self.note = note
        self.series = series
        self.number = number
    }

    static let schema = Schema<TogetherIssue>(
        name: "PlacedIssue",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.note, "note"),
            .field(\.series, "issue_series"),
            .field(\.number, "issue_number"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        note = try row.read()
        series = try row.read()
        number = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(note)
        try row.write(series)
        try row.write(number)
    }
}
