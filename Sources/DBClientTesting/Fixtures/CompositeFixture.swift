import DBClientCore
import Foundation

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

/// A model whose primary key is made of two numbers.
struct Cell: Stored, Equatable {
    let line: Int
    let column: Int

    init(_ line: Int, _ column: Int) {
        self.line = line
        self.column = column
    }

    init(_ key: PrimaryKey) {
        self.init(key.line, key.column)
    }

    /// The key: the line, then the column.
    struct PrimaryKey: PrimaryKeyValue {
        let line: Int
        let column: Int

        init(_ line: Int, _ column: Int) {
            self.line = line
            self.column = column
        }

        static var columnCount: Int { 2 }

        init(row: inout RowReader) throws {
            line = try row.read()
            column = try row.read()
        }

        func write(to row: inout RowWriter) throws {
            try row.write(line)
            try row.write(column)
        }
    }

    static let schema = Schema<Cell>(
        name: "Cell",
        fields: [
            .field(\.line, "line", primaryKey: .given),
            .field(\.column, "column", primaryKey: .given),
        ]
    )
    var primaryKey: PrimaryKey { PrimaryKey(line, column) }

    init(row: inout RowReader) throws {
        line = try row.read()
        column = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(line)
        try row.write(column)
    }
}

/// Keyed by data and a number.
struct Page: Stored, Equatable {
    let digest: Data
    let number: Int

    init(_ digest: Data, _ number: Int) {
        self.digest = digest
        self.number = number
    }

    init(_ key: PrimaryKey) {
        self.init(key.digest, key.number)
    }

    /// The key: the digest, then the number.
    struct PrimaryKey: PrimaryKeyValue {
        let digest: Data
        let number: Int

        init(_ digest: Data, _ number: Int) {
            self.digest = digest
            self.number = number
        }

        static var columnCount: Int { 2 }

        init(row: inout RowReader) throws {
            digest = try row.read()
            number = try row.read()
        }

        func write(to row: inout RowWriter) throws {
            try row.write(digest)
            try row.write(number)
        }
    }

    static let schema = Schema<Page>(
        name: "Page",
        fields: [
            .field(\.digest, "digest", primaryKey: .given),
            .field(\.number, "number", primaryKey: .given),
        ]
    )
    var primaryKey: PrimaryKey { PrimaryKey(digest, number) }

    init(row: inout RowReader) throws {
        digest = try row.read()
        number = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(digest)
        try row.write(number)
    }
}
