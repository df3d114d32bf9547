import DBClientCore

/// Keyed by several fields and held and holding by them.
struct Volume: Stored, Equatable {
    let series: String
    let weight: Double
    let number: Int
    var next: Reference<Volume>?
    var issues: [Issue]

    init(
        _ series: String,
        _ weight: Double,
        _ number: Int,
        next: PrimaryKey? = nil,
        issues: [Issue] = []
    ) {
        self.series = series
        self.weight = weight
        self.number = number
        self.next = next.map { Reference($0) }
        self.issues = issues
    }

    /// The key: a text, a number with fractions and one without.
    struct PrimaryKey: PrimaryKeyValue {
        let series: String
        let weight: Double
        let number: Int

        init(_ series: String, _ weight: Double, _ number: Int) {
            self.series = series
            self.weight = weight
            self.number = number
        }

        static var columnCount: Int { 3 }

        static var fields: [SchemaField<PrimaryKey>] {
            [.field(\.series, "series"), .field(\.weight, "weight"), .field(\.number, "number")]
        }

        init(row: inout RowReader) throws {
            series = try row.read()
            weight = try row.read()
            number = try row.read()
        }

        func write(to row: inout RowWriter) throws {
            try row.write(series)
            try row.write(weight)
            try row.write(number)
        }
    }

    static let schema = Schema<Volume>(
        name: "Volume",
        fields: [
            .field(\.series, "series", primaryKey: .given),
            .field(\.weight, "weight", primaryKey: .given),
            .field(\.number, "number", primaryKey: .given),
            .field(\.next, "next"),
            .field(\.issues, "issues"),
        ]
    )
    var primaryKey: PrimaryKey { PrimaryKey(series, weight, number) }

    init(row: inout RowReader) throws {
        series = try row.read()
        weight = try row.read()
        number = try row.read()
        next = try row.read()
        issues = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(series)
        try row.write(weight)
        try row.write(number)
        try row.write(next)
        try row.write(issues)
    }
}
