import DBClientCore
import DBClientSQLite
import Foundation

/// What can be read in the files without the key.
enum LegibleChecks {
    static let all = [
        Check(name: "The search finds what is legible") { folder in
            try await make(folder.store, nil)
            let found = try legible(in: folder)
            try expect(found.count == Quixotic.needles.count, "Only \(found) is found.")
        },
        Check(name: "Nothing is legible in any file while a store is open, or after it is closed") {
            folder in
            let client = try SQLDBClient.sqlite(at: folder.store, key: Keys.first)
            try await client.insert((1...200).map { Quixotic.number($0, pages: $0 % 3) })
            try await client.update(Quixotic.self, key: 1) {
                $0.set(\.mistralName, to: "palimpsest")
            }
            try await client.delete(Quixotic.where { $0.zarzuelaID > 150 })
            _ = try await client.fetch(Quixotic.all.sorted { $0.bandoneonText })
            let names = Set(try folder.content().keys)
            try expect(names.isSuperset(of: ["store.sqlite", "store.sqlite-wal"]), "\(names)")
            try expectNothing(in: folder, "while it is open")
            try client.close()
            try expectNothing(in: folder, "after it was closed")
            try OtherProgram.run("VACUUM", folder.store)
            try expectNothing(in: folder, "after VACUUM")
            try expect(try await read(folder.store, Keys.first).count == 150, "Rows are missing.")
        },
        Check(name: "Nothing is legible in what a killed process leaves") { folder in
            let child = try Child(["write", folder.store.path, "first", "1"])
            for _ in 1...30 { _ = child.line() }
            child.kill()
            try expectNothing(in: folder, "after a kill")
            let count = try await read(folder.store, Keys.first).count
            try expect(count >= 30, "Of 30 acknowledged rows there are \(count).")
        },
        Check(name: "Nothing is legible in a rollback journal") { folder in
            try await make(folder.store)
            try OtherProgram.run("PRAGMA journal_mode = DELETE", folder.store)
            let client = try SQLDBClient.sqlite(at: folder.store, key: Keys.first)
            try await client.write { transaction in
                try transaction.insert((100...900).map { Quixotic.number($0, pages: 2) })
                try transaction.update(Quixotic.all) { $0.set(\.mistralName, to: "palimpsest") }
                let journal = folder.file("store.sqlite-journal").path
                try expect(FileManager.default.fileExists(atPath: journal), "There is no journal.")
                try expectNothing(in: folder, "within a transaction")
            }
            try client.close()
        },
        Check(name: "The memory of a process has no key once its client was closed") { folder in
            // Kept so that the search does not find what it searches for.
            let hidden = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
            let url = folder.store
            let isThere = try await { () async throws -> Bool in
                let key = StoreKey.data(hidden.map { $0 ^ 0xA5 })
                let client = try SQLDBClient.sqlite(at: url, key: key)
                try await client.insert((1...50).map { Quixotic.number($0) })
                _ = try await client.fetch(Quixotic.all)
                let isThere = try Memory.has(hidden, hiddenBy: 0xA5)
                try client.close()
                return isThere
            }()
            try expect(isThere, "The search does not find the key while it is in use.")
            try expect(!(try Memory.has(hidden, hiddenBy: 0xA5)), "The key is still in memory.")
        },
    ]

    static func legible(in folder: Folder) throws -> Set<String> {
        var found: Set<String> = []
        for (_, content) in try folder.content() {
            for needle in Quixotic.needles where content.range(of: Data(needle.utf8)) != nil {
                found.insert(needle)
            }
        }
        return found
    }

    static func expectNothing(in folder: Folder, _ time: String) throws {
        let found = try legible(in: folder)
        try expect(found.isEmpty, "\(found.sorted()) can be read \(time).")
    }
}
