import DBClientCore
import DBClientObjectStore
import Foundation

/// One way to search texts.
protocol PassageStore: AnyObject, Sendable {
    /// Adds texts in one transaction.
    func insert(_ passages: [Passage]) throws
    /// Adds a text that is not searched, in a transaction.
    func insertPlain(_ passage: Passage) throws
    /// Returns how many of the best twenty texts with all of some words there are; the last is the beginning of one where
    /// that is asked for.
    func search(_ words: String, asYouType: Bool) throws -> Int
    func close() throws
}

extension ContestantKind {
    /// Opens the contestant's store of texts; nil where it has none.
    func openPassages(_ folder: URL) throws -> (any PassageStore)? {
        switch self {
        case .objectStore:
            ClientPassages(
                try ObjectStoreDBClient(at: folder.appendingPathComponent("texts.store"))
            )
        case .rawSQLite: try FTS5Passages(folder.appendingPathComponent("texts.sqlite"))
        default: nil
        }
    }
}

/// A client of the library.
final class ClientPassages: PassageStore {
    private let client: any DBClient

    init(_ client: any DBClient) { self.client = client }

    func insert(_ passages: [Passage]) throws { _ = try client.blocking.insert(passages) }

    func insertPlain(_ passage: Passage) throws {
        _ = try client.blocking.insert(PlainPassage(passage))
    }

    func search(_ words: String, asYouType: Bool) throws -> Int {
        let query = SearchQuery(words, asYouType: asYouType)
        return try client.blocking.fetch(Passage.matching(query).limit(20)).count
    }

    func close() throws { try client.close() }
}

/// A table of FTS5, written and asked by hand.
final class FTS5Passages: PassageStore, @unchecked Sendable {
    private let connection: SQLiteConnection

    init(_ file: URL) throws {
        connection = try SQLiteConnection(path: file.path)
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS plain (id INTEGER PRIMARY KEY, text TEXT);"
                + " CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5(text)"
        )
    }

    private func insert(_ passages: [Passage], _ sql: String) throws {
        let statement = try connection.statement(sql)
        try connection.write {
            for passage in passages {
                var text = passage.text
                statement.bind(1, passage.id)
                try text.withUTF8 {
                    statement.bind(2, $0)
                    try statement.run()
                }
            }
        }
    }

    func insert(_ passages: [Passage]) throws {
        try insert(passages, "INSERT INTO texts (rowid, text) VALUES (?, ?)")
    }

    func insertPlain(_ passage: Passage) throws {
        try insert([passage], "INSERT INTO plain (id, text) VALUES (?, ?)")
    }

    func search(_ words: String, asYouType: Bool) throws -> Int {
        let statement = try connection.statement(
            "SELECT rowid, text FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 20"
        )
        var query = asYouType ? words + "*" : words
        var count = 0
        try query.withUTF8 {
            statement.bind(1, $0)
            while try statement.step() { count += 1 }
        }
        return count
    }

    func close() throws { try connection.close() }
}
