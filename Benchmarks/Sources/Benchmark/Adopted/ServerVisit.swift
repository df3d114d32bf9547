import DBClientCore
import Foundation

/// A row of a table that another program fills on a server: its column is a text in which a date is.
struct DatedVisit: Stored, Hashable {
    let id: Int
    var made: Date

    static let schema = Schema<DatedVisit>(
        name: "DatedVisit",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.made, "made").stored(as: .dateTime),
        ]
    )

    var primaryKey: Int { id }

    init(id: Int, made: Date) {
        (self.id, self.made) = (id, made)
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        made = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(made)
    }
}

/// One whose column is a `numeric(12,2)`.
struct PricedVisit: Stored, Hashable {
    let id: Int
    var price: Decimal

    static let schema = Schema<PricedVisit>(
        name: "PricedVisit",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.price, "price")]
    )

    var primaryKey: Int { id }

    init(id: Int, price: Decimal) {
        (self.id, self.price) = (id, price)
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        price = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(price)
    }
}

/// The tables of both, as another program makes them.
enum ServerVisits {
    /// Makes the tables and as many rows as are asked for.
    static func creation(of count: Int) -> [String] {
        [
            "CREATE TABLE \"DatedVisit\" (id bigint PRIMARY KEY, made text NOT NULL)",
            """
            INSERT INTO "DatedVisit" SELECT i, to_char(to_timestamp(i * 4321.25) AT TIME ZONE 'UTC',
                'YYYY-MM-DD HH24:MI:SS.MS') FROM generate_series(1, \(count)) AS i
            """,
            "CREATE TABLE \"PricedVisit\" (id bigint PRIMARY KEY, price numeric(12,2) NOT NULL)",
            """
            INSERT INTO "PricedVisit" SELECT i, i * 1.25 FROM generate_series(1, \(count)) AS i
            """,
            "ANALYZE \"DatedVisit\"", "ANALYZE \"PricedVisit\"",
        ]
    }
}
