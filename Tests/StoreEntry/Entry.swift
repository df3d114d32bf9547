package import DBClientCore

/// What the second process stores and the tests read.
///
/// By hand: the compiler counts no use of an import in what a macro makes, and would warn of this one.
package struct Entry: Stored, Equatable {
    package let id: Int
    package let text: String
    package let bucket: Int

    package static let schema = Schema<Entry>(
        name: "Entry",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.text, "text", index: .plain).searchable(),
            .field(\.bucket, "bucket", index: .plain),
        ]
    )

    package var primaryKey: Int { id }

    package init(_ id: Int) {
        self.id = id
        text = "entry \(id)"
        bucket = id % 7
    }

    package init(_ id: Int, text: String, bucket: Int) {
        self.id = id
        self.text = text
        self.bucket = bucket
    }

    package init(row: inout RowReader) throws {
        id = try row.read()
        text = try row.read()
        bucket = try row.read()
    }

    package func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(text)
        try row.write(bucket)
    }
}
