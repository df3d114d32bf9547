import DBClientCore

/// A row whose text may have pages of its own, under a key that is text.
struct Paper: Stored, Equatable {
    let name: String
    var text: String

    static let schema = Schema<Paper>(
        name: "Paper",
        fields: [
            .field(\.name, "name", primaryKey: .given), .field(\.text, "text"),
        ]
    )

    var primaryKey: String { name }

    init(_ number: Int) {
        name = "paper \(number)"
        text = String(repeating: "\(number) and ", count: number % 5 == 0 ? number * 7 : 3)
    }

    init(row: inout RowReader) throws {
        name = try row.read()
        text = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(name)
        try row.write(text)
    }
}

/// A row that belongs to an entry.
struct Part: Stored, Equatable {
    let id: Int
    var owner: Int
    var weight: Double

    static let schema = Schema<Part>(
        name: "Part",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.owner, "owner", index: .plain),
            .field(\.weight, "weight", index: .plain),
        ]
    )

    var primaryKey: Int { id }

    init(_ id: Int) {
        self.id = id
        owner = id / 5
        weight = Double(id % 97)
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        owner = try row.read()
        weight = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(owner)
        try row.write(weight)
    }
}
