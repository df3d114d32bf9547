import DBClientCore
import DBClientSQL
import Foundation

@testable import DBClientSQLite

extension FuzzTarget {
    /// Declarations of SQLite's tables, as any program may have written them.
    static let declarations = FuzzTarget("declarations") {
        [
            """
            CREATE TABLE "Person" ("id" /* dbclient integer */ INTEGER PRIMARY KEY, -- a comment
            [born] /* dbclient date? */ INTEGER, name/*dbclient text*/TEXT CHECK (name <> ')'), `x` DEFAULT '/*')
            """,
            "CREATE TABLE t(a,b)", "CREATE TABLE t(a /*",
        ].map { Array($0.utf8) }
    } decode: { input in
        let notes = DBClientSQLite.ColumnNotes(UnsafeRawBufferPointer(input))
        _ = notes["born"]
    }

    /// Values that another program has put into a table: texts of any bytes, in each column.
    static let columnValues = FuzzTarget("column-values", isSlow: true) {
        ["2026-11-27T14:30:00Z", "-12.5", "[\"a\",\"b\"]", #"{"part":"x"}"#, "text"].map {
            Array($0.utf8)
        }
    } decode: { input in
        let text = Data(input)
        let client = try ForeignRow.client.get().blocking
        try client.execute(
            """
            UPDATE "ForeignRow" SET "name" = CAST(\(text) AS TEXT), "amount" = CAST(\(text) AS TEXT),
            "day" = CAST(\(text) AS TEXT), "token" = CAST(\(text) AS TEXT), "tags" = CAST(\(text) AS TEXT)
            """
        )
        for request in ForeignRow.requests {
            do {
                _ = try client.fetch(request)
            } catch is DBClientError {
                continue
            }
        }
    }
}

/// A model whose columns another program writes.
@Stored
private struct ForeignRow {
    let id: Int
    var name: String
    @StoredAs(.text) var amount: Decimal
    @StoredAs(.iso8601) var day: Date
    @StoredAs(.lowercaseText) var token: UUID
    var tags: [String]

    /// One client for all inputs, with one row.
    static let client = Result<SQLDBClient, any Error>(catching: {
        let client = try SQLDBClient.sqlite(.inMemory)
        let row = ForeignRow(id: 1, name: "", amount: 0, day: .distantPast, token: UUID(), tags: [])
        try client.blocking.insert(row)
        return client
    })

    /// Requests that have SQLite call each kind of function with what is stored.
    static let requests: [FetchRequest<ForeignRow>] = [
        ForeignRow.all, ForeignRow.where { $0.name.lowercased() == "x" },
        ForeignRow.where { $0.name.count > 3 }, ForeignRow.where { $0.name.containsFolding("a") },
        ForeignRow.where { $0.name.contains("b", ignoringCase: true) },
        ForeignRow.where { $0.amount > 1 }, ForeignRow.where { $0.amount == 2 },
        ForeignRow.where { $0.day < Date(timeIntervalSince1970: 0) },
        ForeignRow.where { $0.tags.contains("a") }, ForeignRow.all.sorted { $0.amount },
        ForeignRow.all.sorted { $0.name.natural },
        ForeignRow.where { $0.tags.contains("a") || $0.name + "b" == "ab" },
    ]
}
