import DBClientCore
import Foundation

/// Keyed by a text and a number, which do not come first among its fields.
@Stored struct Issue: Equatable {
    var title: String
    @PrimaryKey let series: String
    @PrimaryKey let number: Int

    init(_ series: String, _ number: Int, title: String = "") {
        self.title = title
        self.series = series
        self.number = number
    }
}

extension Issue.PrimaryKey {
    init(_ series: String, _ number: Int) {
        self.init(series: series, number: number)
    }
}

/// A model whose primary key is made of two numbers; by hand, with a key that no relationship can lead to, since
/// that way is tested, too.
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
@Stored struct Page: Equatable {
    @PrimaryKey let digest: Data
    @PrimaryKey let number: Int

    init(_ digest: Data, _ number: Int) {
        self.digest = digest
        self.number = number
    }

    init(_ key: PrimaryKey) {
        self.init(key.digest, key.number)
    }
}

extension Page.PrimaryKey {
    init(_ digest: Data, _ number: Int) {
        self.init(digest: digest, number: number)
    }
}
