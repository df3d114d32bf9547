import Foundation
import GRDB

/// A record type of GRDB that stands for a character.
typealias CharacterRecord = CharacterConvertible & FetchableRecord & PersistableRecord

/// GRDB's records and query interface, as its documentation teaches them.
final class GRDBRecords<Record: CharacterRecord>: Contestant {
    private let pool: DatabasePool

    init(folder: URL) throws {
        pool = try GRDBStore(folder: folder).pool
    }

    func close() throws {
        try GRDBStore.close(pool)
    }

    func insert(_ rows: [Character]) throws {
        try pool.write { database in
            for row in rows { try Record(row).insert(database) }
        }
    }

    func upsert(_ rows: [Character]) throws {
        try pool.write { database in
            for row in rows { try Record(row).upsert(database) }
        }
    }

    func get(_ keys: [Int]) throws -> Int {
        try pool.read { database in
            var sum = 0
            for key in keys {
                sum &+= try Record.fetchOne(database, key: key)?.character.weight ?? 0
            }
            return sum
        }
    }

    func get(_ key: Int) throws -> Character? {
        try pool.read { try Record.fetchOne($0, key: key)?.character }
    }

    func fetchAll() throws -> any FetchedRows {
        try pool.read { try Record.fetchAll($0) }
    }

    func fetch(publisher: Int) throws -> any FetchedRows {
        try pool.read { database in
            try Record
                .filter(Character.Columns.publisherId == publisher)
                .order(Character.Columns.id)
                .fetchAll(database)
        }
    }

    func strongest(over power: Double, limit: Int) throws -> any FetchedRows {
        try pool.read { database in
            try Record
                .filter(Character.Columns.isActive && Character.Columns.power > power)
                .order(Character.Columns.power.desc, Character.Columns.id)
                .limit(limit)
                .fetchAll(database)
        }
    }

    func countActive(over power: Double) throws -> Int {
        try pool.read { database in
            try Record
                .filter(Character.Columns.isActive && Character.Columns.power > power)
                .fetchCount(database)
        }
    }

    func names() throws -> [(Int, String)] {
        try pool.read { try GRDBStore.names($0) }
    }

    func publishers() throws -> [PublisherTotal] {
        try pool.read { try GRDBStore.publishers($0) }
    }

    func rename(_ names: [(key: Int, realName: String)]) throws {
        try pool.write { database in
            for (key, realName) in names {
                try Record.filter(key: key)
                    .updateAll(database, Character.Columns.realName.set(to: realName))
            }
        }
    }

    func delete(_ keys: [Int]) throws -> Int {
        try pool.write { database in
            var count = 0
            for key in keys {
                if try Record.deleteOne(database, key: key) { count += 1 }
            }
            return count
        }
    }

    func deleteTogether(_ keys: [Int]) throws -> Int {
        try pool.write { try Record.deleteAll($0, keys: keys) }
    }

    func commit(_ row: Character) async throws {
        try await pool.write { try Record(row).insert($0) }
    }

    func stream(limit: Int) async throws -> Int {
        try await pool.read { database in
            var sum = 0
            let cursor = try Record.limit(limit).fetchCursor(database)
            while let record = try cursor.next() { sum &+= record.character.weight }
            return sum
        }
    }
}
