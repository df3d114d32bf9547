import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import Foundation

/// What the second process stores.
struct Entry: Stored {
    let id: Int
    let text: String
    let bucket: Int

    static let schema = Schema<Entry>(
        name: "Entry",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.text, "text", index: .plain),
            .field(\.bucket, "bucket", index: .plain),
        ]
    )

    var primaryKey: Int { id }

    init(_ id: Int) {
        self.id = id
        text = "entry \(id)"
        bucket = id % 7
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        text = try row.read()
        bucket = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(text)
        try row.write(bucket)
    }
}

func openStore(engine: String, at url: URL) throws -> any DBClient {
    engine == "sqlite" ? try SQLDBClient.sqlite(at: url) : try ObjectStoreDBClient(at: url)
}
