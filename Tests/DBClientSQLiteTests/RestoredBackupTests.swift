import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import GRDB
import Testing

/// A backup of a former version that another program restores into the file while a newer version has it open.
@Suite struct RestoredBackupTests {
    @Test func theNewerVersionIsRefusedUntilTheBackupIsMigrated() throws {
        let folder = try TemporaryFolder()
        let backup = folder.url.appending(path: "backup.sqlite")
        let client = try SQLDBClient.sqlite(at: folder.store)
        defer { try? client.close() }
        try client.blocking.insert((1...50).map { FormerVisit(id: $0, at: $0, note: "n\($0)") })
        try DatabaseQueue(path: folder.store.path).backup(to: DatabaseQueue(path: backup.path))
        let step = Migration.convert(FormerVisit.self, to: Visit.self) {
            Visit(id: $0.id, at: Date(timeIntervalSince1970: Double($0.at)), note: $0.note)
        }
        try client.blocking.migrate([step])
        try client.blocking.insert(Visit(id: 51, at: Date(timeIntervalSince1970: 51), note: "new"))
        let reads: [() throws -> Void] = [
            { _ = try client.blocking.find(Visit.self, key: 1) },
            { _ = try client.blocking.fetch(Visit.where { $0.id > 10 }) },
            { _ = try client.blocking.count(Visit.where { $0.note == "new" }) },
            { _ = try client.blocking.max(\.at, of: Visit.all) },
            { try client.blocking.update(Visit.self, key: 1) { $0.set(\.note, to: "x") } },
        ]
        for read in reads {
            for read in reads { try read() }
            // SQLite's own way, page by page into the file that is open.
            try DatabaseQueue(path: backup.path).backup(to: DatabaseQueue(path: folder.store.path))
            for _ in 0..<2 {
                let error = #expect(throws: DBClientError.self) { try read() }
                #expect(error?.code == .schemaMismatch)
                #expect(error?.field == "at")
            }
            #expect(try client.blocking.findAll(FormerVisit.self).map(\.at) == Array(1...50))
            #expect(try client.blocking.migrate([step]).count == 1)
            #expect(
                try client.blocking.find(Visit.self, key: 50)?.at == Date(timeIntervalSince1970: 50)
            )
        }
    }
}

@Stored("Visit") private struct FormerVisit: Equatable {
    @PrimaryKey let id: Int
    var at: Int
    var note: String
}

@Stored private struct Visit: Equatable {
    @PrimaryKey let id: Int
    var at: Date
    var note: String
}
