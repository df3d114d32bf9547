import DBClientCore
import DBClientSQLite
import Foundation

/// Files in which something was changed by another hand.
enum DamageChecks {
    static let all = [
        Check(name: "A flipped bit is found wherever it is, or changes nothing") { folder in
            try await make(folder.store, rows: 20, pages: 1)
            let rows = try await read(folder.store, Keys.first)
            let whole = try Data(contentsOf: folder.store)
            try expect(whole.count / pageSize > 30, "The file is small.")
            for page in 0..<(whole.count / pageSize) {
                for offset in [0, 20, Int.random(in: 16..<pageSize), pageSize - 1] {
                    var damaged = whole
                    damaged[page * pageSize + offset] ^= 1 << UInt8.random(in: 0..<8)
                    try await expectDamage(damaged, rows, folder, "page \(page + 1), \(offset)")
                }
            }
        },
        Check(name: "The last page of a long value is not taken for zeros") { folder in
            // Of each of these lengths the end has a page of its own.
            let client = try SQLDBClient.sqlite(at: folder.store, key: Keys.first)
            let texts = (1...8).map { String(repeating: "saudade", count: 700 + 350 * $0) }
            for (id, text) in texts.enumerated() {
                var row = Quixotic.number(id)
                row.bandoneonText = text
                row.flamencoBytes = Data()
                try await client.insert(row)
            }
            try client.close()
            let whole = try Data(contentsOf: folder.store)
            var failures = 0
            for page in 1..<(whole.count / pageSize) {
                var damaged = whole
                damaged[page * pageSize + 1_000] ^= 1
                let url = try write(damaged, folder)
                let client = try SQLDBClient.sqlite(
                    at: url,
                    key: Keys.first,
                    configuration: unverified
                )
                for (id, text) in texts.enumerated() {
                    do {
                        let found = try await client.find(Quixotic.self, key: id)?.bandoneonText
                        try expect(found == text, "Page \(page + 1) gives another value.")
                        var streamed: [String] = []
                        let row = Quixotic.where { $0.zarzuelaID == id }
                        for try await value in client.stream(row) {
                            streamed.append(value.bandoneonText)
                        }
                        try expect(streamed == [text], "Page \(page + 1) gives another value.")
                        let end = Quixotic.where {
                            $0.zarzuelaID == id && $0.bandoneonText.hasSuffix("saudade")
                        }
                        try expect(
                            try await client.count(end) == 1,
                            "Page \(page + 1) is counted out."
                        )
                    } catch let error as DBClientError where error.code == .corrupt {
                        failures += 1
                    }
                }
                try client.close()
            }
            try expect(failures >= texts.count, "Only \(failures) reads failed.")
        },
        Check(name: "Pages that change places are found") { folder in
            try await make(folder.store, rows: 20, pages: 1)
            let rows = try await read(folder.store, Keys.first)
            let whole = try Data(contentsOf: folder.store)
            let pages = whole.count / pageSize
            for _ in 1...40 {
                let (one, other) = (Int.random(in: 1..<pages), Int.random(in: 1..<pages))
                if one == other { continue }
                var damaged = whole
                for (to, from) in [(one, other), (other, one)] {
                    damaged[to * pageSize..<(to + 1) * pageSize] =
                        whole[from * pageSize..<(from + 1) * pageSize]
                }
                try await expectDamage(damaged, rows, folder, "pages \(one + 1) and \(other + 1)")
            }
        },
    ]

    private static let pageSize = 4_096

    private static var unverified: SQLiteConfiguration {
        var configuration = SQLiteConfiguration()
        configuration.verification = .never
        return configuration
    }

    private static func write(_ content: Data, _ folder: Folder) throws -> URL {
        let url = folder.file("damaged")
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: url.path + suffix)
        }
        try content.write(to: url)
        return url
    }

    /// The store does not open, or a read of it fails, or it has the same rows; verifying it finds the damage.
    private static func expectDamage(
        _ content: Data,
        _ rows: [Quixotic],
        _ folder: Folder,
        _ place: String
    ) async throws {
        let url = try write(content, folder)
        do {
            let client = try SQLDBClient.sqlite(at: url, key: Keys.first, configuration: unverified)
            defer { try? client.close() }
            for row in rows {
                do {
                    let found = try await client.find(Quixotic.self, key: row.zarzuelaID)
                    try expect(found == row, "\(place): another row.")
                } catch let error as DBClientError where error.code == .corrupt {}
            }
            let found = try await client.fetch(Quixotic.all.sorted { $0.zarzuelaID })
            try expect(found == rows, "\(place): other rows.")
        } catch let error as DBClientError {
            // The first bytes are what the key is checked with.
            let isOfSalt = place.hasPrefix("page 1,") && error.code == .wrongKey
            try expect(error.code == .corrupt || isOfSalt, "\(place): \(error)")
        }
        do {
            try SQLDBClient.verifySQLite(at: url, key: Keys.first, models: [Quixotic.self])
        } catch let error as DBClientError {
            let isOfSalt = place.hasPrefix("page 1,") && error.code == .wrongKey
            try expect(error.code == .corrupt || isOfSalt, "verify, \(place): \(error)")
            return
        }
        throw Check.Failure(description: "\(place): verifying finds nothing.")
    }
}
