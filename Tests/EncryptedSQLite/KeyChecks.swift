import DBClientCore
import DBClientSQLite
import Foundation

/// Which key opens which file.
enum KeyChecks {
    static let all = [
        Check(name: "SQLCipher is there, and a store is encrypted by it") { folder in
            let client = try SQLDBClient.sqlite(at: folder.store, key: Keys.first)
            defer { try? client.close() }
            let rows = try await client.rows("PRAGMA cipher_version")
            try expect(rows.first != nil, "The connections are SQLite's own.")
            let memory = try await client.rows("PRAGMA temp_store")
            try expect(
                memory.first?["temp_store"] == 2,
                "What does not fit into memory goes into a file."
            )
            try await client.insert(Quixotic.number(1))
            let beginning = try Data(contentsOf: folder.store).prefix(6)
            try expect(beginning != Data("SQLite".utf8), "The file is plain.")
        },
        Check(name: "Rows come back with the key, of either kind") { folder in
            let kinds = [("key", Keys.first), ("passphrase", StoreKey.passphrase("Señor Quijote"))]
            for (name, key) in kinds {
                let url = folder.file(name)
                try await make(url, key)
                let rows = try await read(url, key)
                try expect(rows == (1...50).map { Quixotic.number($0) }, "\(name): other rows.")
            }
            // Typed with a combining tilde.
            let rows = try await read(
                folder.file("passphrase"),
                .passphrase("Sen\u{303}or Quijote")
            )
            try expect(rows.count == 50, "The passphrase depends on how it was typed.")
            try SQLDBClient.verifySQLite(
                at: folder.file("key"),
                key: Keys.first,
                models: [Quixotic.self]
            )
        },
        Check(name: "A key that does not go with the file gives its own error and leaves the file")
        {
            folder in
            try await make(folder.file("key"), Keys.first)
            try await make(folder.file("passphrase"), .passphrase("right"))
            try await make(folder.file("plain"), nil)
            try Data("This is no database, but a text.".utf8).write(to: folder.file("text"))
            let before = try folder.content()
            let tries: [(String, StoreKey?, DBClientError.Code)] = [
                ("key", nil, .keyRequired), ("key", Keys.second, .wrongKey),
                ("passphrase", nil, .keyRequired), ("passphrase", .passphrase("wrong"), .wrongKey),
                ("passphrase", Keys.first, .wrongKey),
                ("plain", Keys.first, .notEncrypted),
                ("plain", .passphrase("right"), .notEncrypted),
                ("text", nil, .corrupt), ("text", Keys.first, .corrupt),
            ]
            for (name, key, code) in tries {
                let what = "\(name) with \(key.map { "\($0.kind)" } ?? "no key")"
                try await expectError(code, what) { _ = try await read(folder.file(name), key) }
                // To derive a key takes its time without optimisation.
                if name == "passphrase", key?.kind == .passphrase { continue }
                try await expectError(code, "verify of \(what)") {
                    try SQLDBClient.verifySQLite(at: folder.file(name), key: key)
                }
            }
            let after = try folder.content().filter { !$0.key.contains("-") }
            try expect(after == before, "A file was changed.")
        },
        Check(name: "What is no key is refused before there is a file") { folder in
            try await expectError(.invalidValue, "A key of 31 bytes") {
                _ = try SQLDBClient.sqlite(at: folder.store, key: .data([UInt8](1...31)))
            }
            try await expectError(.invalidValue, "An empty passphrase") {
                _ = try SQLDBClient.sqlite(at: folder.store, key: .passphrase(""))
            }
            try expect(try folder.content().isEmpty, "There is a file.")
        },
        Check(name: "Clients that make one store at the same moment agree on its salt") { folder in
            for round in 1...20 {
                let url = folder.file("store\(round)")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for id in 1...4 {
                        group.addTask {
                            let client = try SQLDBClient.sqlite(at: url, key: Keys.first)
                            try await client.insert(Quixotic.number(id))
                            try client.close()
                        }
                    }
                    try await group.waitForAll()
                }
                try expect(try await read(url, Keys.first).count == 4, "Rows are missing.")
            }
        },
        Check(name: "A store is encrypted, and made plain, by copying it") { folder in
            let rows = (1...50).map { Quixotic.number($0, pages: 1) }
            try await make(folder.file("plain"), nil, pages: 1)
            let plain = try SQLDBClient.sqlite(at: folder.file("plain"))
            let sealed = try SQLDBClient.sqlite(at: folder.file("sealed"), key: Keys.first)
            let open = try SQLDBClient.sqlite(at: folder.file("open"))
            try await sealed.copy(Quixotic.self, from: plain)
            try await open.copy(Quixotic.self, from: sealed)
            for client in [plain, sealed, open] { try client.close() }
            try expect(try await read(folder.file("sealed"), Keys.first) == rows, "Other rows.")
            try expect(try await read(folder.file("open"), nil) == rows, "Other rows.")
        },
        Check(name: "Nothing that is printed shows a key") { folder in
            let client = try SQLDBClient.sqlite(at: folder.store, key: Keys.first)
            try await client.insert(Quixotic.number(1))
            var text = "\(client) \(String(reflecting: client))"
            dump(client, to: &text)
            let error = try await expectError(.wrongKey, "Another key") {
                _ = try SQLDBClient.sqlite(at: folder.store, key: Keys.second)
            }
            dump(error, to: &text)
            let other = try await expectError(.invalidRequest, "A statement that is none") {
                try await client.execute("PRAGMA key")
                try await client.execute("SELEKT")
            }
            dump(other, to: &text)
            try client.close()
            for bytes in [Keys.firstBytes, Keys.secondBytes] {
                let hexadecimal = Keys.hexadecimal(bytes)
                try expect(!text.lowercased().contains(hexadecimal), "A key is shown.")
                let decimal = bytes.prefix(8).map(String.init).joined(separator: ", ")
                try expect(!text.contains(decimal), "A key is shown as numbers.")
            }
        },
    ]
}
