import Foundation
import GRDBSQLite

/// SQLite by hand: the yardstick of a condition through a relationship.
final class RawSQLiteGraph: GraphContestant, @unchecked Sendable {
    private let connection: SQLiteConnection

    init(folder: URL) throws {
        connection = try SQLiteConnection(
            path: folder.appendingPathComponent("owners.sqlite").path
        )
        try connection.execute(GraphTables.creation)
    }

    func close() throws {
        try connection.close()
    }

    func save(_ owners: [Owner]) throws {
        let maker = try connection.statement(#"INSERT OR IGNORE INTO "Maker" VALUES (?, ?)"#)
        let part = try connection.statement(#"INSERT INTO "Part" VALUES (?, ?, ?)"#)
        let row = try connection.statement(#"INSERT INTO "Owner" VALUES (?, ?, ?)"#)
        let link = try connection.statement(#"INSERT INTO "Owner_parts" VALUES (?, ?, ?)"#)
        try connection.write {
            for owner in owners {
                try maker.run(owner.maker.id, owner.maker.name)
                try row.run(owner.id, owner.name, owner.maker.id)
                for (position, element) in owner.parts.enumerated() {
                    try part.run(element.id, element.name, element.level)
                    link.bind(1, owner.id)
                    link.bind(2, position)
                    link.bind(3, element.id)
                    try link.run()
                }
            }
        }
    }

    func fetchAll() throws -> any FetchedOwners {
        var owners: [Owner] = []
        let statement = try connection.statement(
            """
            SELECT o."id", o."name", m."id", m."name", p."id", p."name", p."level"
            FROM "Owner" o JOIN "Maker" m ON m."id" = o."maker"
            LEFT JOIN "Owner_parts" l ON l."owner" = o."id"
            LEFT JOIN "Part" p ON p."id" = l."target"
            ORDER BY o."id", l."position"
            """
        )
        try connection.read {
            while sqlite3_step(statement.handle) == SQLITE_ROW {
                let id = statement.integer(0)
                if owners.last?.id != id {
                    let maker = Maker(id: statement.integer(2), name: statement.string(3))
                    owners.append(
                        Owner(id: id, name: statement.string(1), maker: maker, parts: [])
                    )
                }
                owners[owners.count - 1].parts.append(
                    Part(
                        id: statement.integer(4),
                        name: statement.string(5),
                        level: statement.integer(6)
                    )
                )
            }
            sqlite3_reset(statement.handle)
        }
        return owners
    }

    func count(makerName: String) throws -> Int {
        let statement = try connection.statement(
            """
            SELECT COUNT(*) FROM "Maker" m JOIN "Owner" o ON o."maker" = m."id"
            WHERE m."name" = ?
            """
        )
        var name = makerName
        return try connection.read {
            name.withUTF8 { name in
                statement.bind(1, name)
                guard sqlite3_step(statement.handle) == SQLITE_ROW else { return 0 }
                defer { sqlite3_reset(statement.handle) }
                return statement.integer(0)
            }
        }
    }
}

extension SQLiteStatement {
    fileprivate func run(_ id: Int, _ name: String, _ number: Int? = nil) throws {
        var name = name
        bind(1, id)
        if let number { bind(3, number) }
        try name.withUTF8 { name in
            bind(2, name)
            try run()
        }
    }

    fileprivate func integer(_ column: Int32) -> Int {
        Int(sqlite3_column_int64(handle, column))
    }

    fileprivate func string(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        return String(
            decoding: UnsafeBufferPointer(
                start: start,
                count: Int(sqlite3_column_bytes(handle, column))
            ),
            as: UTF8.self
        )
    }
}
