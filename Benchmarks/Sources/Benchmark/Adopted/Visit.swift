import DBClientCore
import Foundation

/// A row of a table that another program fills: a date as text, one as seconds, an amount as cents.
struct Visit: Stored, Hashable {
    let id: Int
    var made: Date
    var paid: Date
    var price: Decimal

    static let schema = Schema<Visit>(
        name: "Visit",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.made, "made").stored(as: .dateTime),
            .field(\.paid, "paid").stored(as: .secondsSince1970),
            .field(\.price, "price").stored(as: .integer(fractionDigits: 2)),
        ]
    )

    var primaryKey: Int { id }

    init(id: Int, made: Date, paid: Date, price: Decimal) {
        (self.id, self.made, self.paid, self.price) = (id, made, paid, price)
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        made = try row.read()
        paid = try row.read()
        price = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(made)
        try row.write(paid)
        try row.write(price)
    }

    /// Makes the table, and as many rows as are asked for by SQLite's own functions.
    static func creation(of count: Int) -> String {
        """
        CREATE TABLE "Visit" (id INTEGER PRIMARY KEY, made DATETIME NOT NULL, paid INTEGER NOT NULL,
            price INTEGER NOT NULL);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO "Visit" SELECT i, strftime('%Y-%m-%d %H:%M:%f', i * 4321.25, 'unixepoch'),
            i * 4321, i * 125 FROM n;
        """
    }
}
