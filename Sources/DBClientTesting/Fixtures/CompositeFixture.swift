import DBClientCore

/// Keyed by a text and a number, which do not come first among its fields.
struct Issue: Stored, Equatable {
    var title: String
    let series: String
    let number: Int

    init(_ series: String, _ number: Int, title: String = "") {
        self.title = title
        self.series = series
        self.number = number
    }

    /// The key: the series, then the number.
    struct PrimaryKey: PrimaryKeyValue {
        let series: String
        let number: Int

        init(_ series: String, _ number: Int) {
            self.series = series
            self.number = number
        }

        static var columnCount: Int { 2 }

        static var fields: [SchemaField<PrimaryKey>] {
            [.field(\.series, "series"), .field(\.number, "number")]
        }

        init(row: inout RowReader) throws {
            series = try row.read()
            number = try row.read()
        }

        func write(to row: inout RowWriter) throws {
            try row.write(series)
            try row.write(number)
        }
    }

    static let schema = Schema<Issue>(
        name: "Issue",
        fields: [
            .field(\.title, "title"),
            .field(\.series, "series", primaryKey: .given),
            .field(\.number, "number", primaryKey: .given),
        ]
    )
    var primaryKey: PrimaryKey { PrimaryKey(series, number) }

    init(row: inout RowReader) throws {
        title = try row.read()
        series = try row.read()
        number = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(title)
        try row.write(series)
        try row.write(number)
    }
}
