import DBClientCore
import Foundation

/// Keyed by an integer that the store makes.
struct Ticket: Stored, Equatable {
    var id: Int
    var title: String

    init(id: Int = 0, title: String) {
        self.id = id
        self.title = title
    }

    static let schema = Schema<Ticket>(
        name: "Ticket",
        fields: [.field(\.id, "id", primaryKey: .generated), .field(\.title, "title")]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        title = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(title)
    }
}

/// Keyed by a UUID that the store makes.
struct Session: Stored, Equatable {
    var id: UUID
    var title: String

    init(id: UUID = EveryType.zeroUUID, title: String) {
        self.id = id
        self.title = title
    }

    static let schema = Schema<Session>(
        name: "Session",
        fields: [.field(\.id, "id", primaryKey: .generated), .field(\.title, "title")]
    )
    var primaryKey: UUID { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        title = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(title)
    }
}

/// Keyed by a text that the store makes.
struct Document: Stored, Equatable {
    var id: String
    var title: String

    init(id: String = "", title: String) {
        self.id = id
        self.title = title
    }

    static let schema = Schema<Document>(
        name: "Document",
        fields: [.field(\.id, "id", primaryKey: .generated), .field(\.title, "title")]
    )
    var primaryKey: String { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        title = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(title)
    }
}

/// Keyed by a small integer that the store makes, with a title that nothing else has.
struct Stamp: Stored, Equatable {
    var id: Int8
    var title: String

    init(id: Int8 = 0, title: String) {
        self.id = id
        self.title = title
    }

    static let schema = Schema<Stamp>(
        name: "Stamp",
        fields: [
            .field(\.id, "id", primaryKey: .generated), .field(\.title, "title", index: .unique),
        ]
    )
    var primaryKey: Int8 { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        title = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(title)
    }
}
