// A second process for tests: opens a store and writes rows one by one, each in its own durable commit,
// telling every one once it is acknowledged.
//
//     StoreChild object-store|sqlite PATH FIRST COUNT
//
// A negative count deletes that many rows instead, from FIRST on, in one commit.

import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import Foundation

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

let arguments = CommandLine.arguments
guard arguments.count == 5, let first = Int(arguments[3]), let count = Int(arguments[4]) else {
    FileHandle.standardError.write(
        Data("usage: StoreChild object-store|sqlite PATH FIRST COUNT\n".utf8)
    )
    exit(64)
}
let url = URL(fileURLWithPath: arguments[2])
do {
    let client: any DBClient =
        arguments[1] == "sqlite"
        ? try SQLDBClient.sqlite(at: url) : try ObjectStoreDBClient(at: url)
    if count < 0 {
        try client.blocking.delete(Entry.self, keys: Array(first..<first - count))
        FileHandle.standardOutput.write(Data("\(first)\n".utf8))
    }
    for id in first..<first + max(count, 0) {
        try client.blocking.insert(Entry(id))
        FileHandle.standardOutput.write(Data("\(id)\n".utf8))
    }
    try client.close()
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
