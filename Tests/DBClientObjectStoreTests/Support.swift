import DBClientCore
import DBClientObjectStore
import Foundation

/// A flat model with a plain, a unique and a composite index.
struct Note: Stored, Equatable {
    let id: Int
    var title: String
    var folder: Int?
    var code: String?
    var weight: Double

    static let schema = Schema<Note>(
        name: "Note",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.title, "title", index: .plain),
            .field(\.folder, "folder", index: .plain),
            .field(\.code, "code", index: .unique),
            .field(\.weight, "weight"),
        ],
        indexes: [StoredIndex(\.folder, \.weight)]
    )

    var primaryKey: Int { id }

    init(_ id: Int, _ title: String, folder: Int? = nil, code: String? = nil, weight: Double = 0) {
        self.id = id
        self.title = title
        self.folder = folder
        self.code = code
        self.weight = weight
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        title = try row.read()
        folder = try row.read()
        code = try row.read()
        weight = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(title)
        try row.write(folder)
        try row.write(code)
        try row.write(weight)
    }
}

/// The same entity with another type for one field.
struct OtherNote: Stored {
    let id: Int
    var title: Int

    static let schema = Schema<OtherNote>(
        name: "Note",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.title, "title")]
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

/// A folder that is removed when its owner goes.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("DBClientObjectStoreTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var store: URL { url.appendingPathComponent("notes.store") }
}

/// Runs a call and returns the library's error that it throws.
func error(of body: () throws -> Void) -> DBClientError? {
    do {
        try body()
        return nil
    } catch {
        return error as? DBClientError
    }
}
