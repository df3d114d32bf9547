package import DBClientCore

/// An entry as it came to be: it has a weight in addition, and no bucket.
package struct WeighedEntry: Stored, Equatable {
    package let id: Int
    package let text: String
    package let weight: Int

    package static let schema = Schema<WeighedEntry>(
        name: "Entry",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.text, "text", index: .plain),
            .field(\.weight, "weight", index: .plain),
        ]
    )

    package var primaryKey: Int { id }

    package init(_ id: Int, weight: Int) {
        self.id = id
        self.text = "entry \(id)"
        self.weight = weight
    }

    package init(row: inout RowReader) throws {
        id = try row.read()
        text = try row.read()
        weight = try row.read()
    }

    package func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(text)
        try row.write(weight)
    }

    /// Leads a store of entries here.
    package static let adaptation = Migration.adapt(Self.self, removing: ["bucket"]) {
        $0.set(\.weight, to: 5)
    }

    /// Leads back.
    package static let wayBack = Migration.convert(Self.self, to: Entry.self) { Entry($0.id) }
}
