import DBClientCore

/// Holds a value that has a key of two fields.
@Stored struct PlacedIssue: Equatable {
    let id: Int
    var issue: Issue?

    init(_ id: Int, issue: Issue? = nil) {
        self.id = id
        self.issue = issue
    }
}

/// The same entity, whose model knows the fields that hold the key as such, and one between them.
@Stored("PlacedIssue") struct ApartIssue: Equatable {
    let id: Int
    @StoredName("issue_series") var series: String?
    var note: String?
    @StoredName("issue_number") var number: Int?

    init(_ id: Int, series: String? = nil, note: String? = nil, number: Int? = nil) {
        self.id = id
        self.series = series
        self.note = note
        self.number = number
    }
}

/// The same entity with the note before the fields that hold the key.
@Stored("PlacedIssue") struct TogetherIssue: Equatable {
    let id: Int
    var note: String?
    @StoredName("issue_series") var series: String?
    @StoredName("issue_number") var number: Int?

    init(_ id: Int, note: String? = nil, series: String? = nil, number: Int? = nil) {
        self.id = id
        self.note = note
        self.series = series
        self.number = number
    }
}
