import DBClientCore
import DBClientSQLite
import Foundation
import Synchronization

/// Changes of the key.
enum RekeyChecks {
    static let all = [
        Check(name: "A changed key opens the store, and the former one does not") { folder in
            try await make(folder.store)
            let keys: [StoreKey] = [Keys.second, .passphrase("third"), Keys.first]
            var former = Keys.first
            for key in keys {
                let client = try SQLDBClient.sqlite(at: folder.store, key: former)
                try await client.rekey(to: key)
                try await client.update(Quixotic.self, key: 1) { $0.set(\.mistralName, to: "new") }
                try expect(try await client.count(Quixotic.all) == 50, "Rows are missing.")
                try client.close()
                try expect(try await read(folder.store, key).count == 50, "Rows are missing.")
                try await expectError(.wrongKey, "The former key") {
                    _ = try await read(folder.store, former)
                }
                former = key
            }
            try SQLDBClient.verifySQLite(at: folder.store, key: former, models: [Quixotic.self])
        },
        Check(name: "A plain store has no key to change") { folder in
            let client = try SQLDBClient.sqlite(at: folder.store)
            try await expectError(.notEncrypted, "A plain store") {
                try await client.rekey(to: Keys.first)
            }
            try client.close()
        },
        Check(name: "Reads, writes and observations of the client go on while its key changes") {
            folder in
            try await make(folder.store, rows: 300, pages: 1)
            let client = try SQLDBClient.sqlite(at: folder.store, key: Keys.first)
            let observation = Task {
                var count = 0
                for try await change in client.observe(Quixotic.all.sorted { $0.zarzuelaID }) {
                    if case .initial(let rows) = change { count = rows.count }
                    if case .update(let changes) = change {
                        count += changes.insertions.count
                        if count == 331 { return count }
                    }
                }
                return count
            }
            let isDone = Mutex(false)
            let reads = Task {
                var count = 0
                while !isDone.withLock({ $0 }) {
                    let rows = try await client.fetch(Quixotic.where { $0.zarzuelaID <= 300 })
                    try expect(rows.count == 300, "There are \(rows.count) rows.")
                    let row = try await client.find(Quixotic.self, key: 7)
                    try expect(row == Quixotic.number(7, pages: 1), "Another row.")
                    count += 1
                }
                return count
            }
            for round in 0..<6 {
                try await client.rekey(to: round.isMultiple(of: 2) ? Keys.second : Keys.first)
                for id in 0..<5 { try await client.insert(Quixotic.number(1_000 + round * 5 + id)) }
            }
            try await client.insert(Quixotic.number(2_000))
            isDone.withLock { $0 = true }
            let count = try await reads.value
            try expect(count > 6, "Only \(count) reads were made.")
            try expect(try await observation.value == 331, "The observation missed rows.")
            try client.close()
            try expect(try await read(folder.store, Keys.first).count == 331, "Rows are missing.")
        },
        Check(name: "A snapshot that is held goes on under the former key") { folder in
            try await make(folder.store, rows: 300, pages: 1)
            let client = try SQLDBClient.sqlite(at: folder.store, key: Keys.first)
            try await client.read { transaction in
                let before = try transaction.find(Quixotic.self, key: 3)
                let done = DispatchSemaphore(value: 0)
                nonisolated(unsafe) var failure: (any Error)?
                Task {
                    do { try await client.rekey(to: Keys.second) } catch { failure = error }
                    done.signal()
                }
                done.wait()
                if let failure { throw failure }
                try expect(try transaction.find(Quixotic.self, key: 3) == before, "Another row.")
                try expect(try transaction.fetch(Quixotic.all).count == 300, "Rows are missing.")
            }
            try expect(try await client.count(Quixotic.all) == 300, "Rows are missing.")
            try client.close()
            try expect(try await read(folder.store, Keys.second).count == 300, "Rows are missing.")
        },
        Check(name: "Another process reads until the key has changed, and is then told so") {
            folder in
            try await make(folder.store, rows: 300, pages: 1)
            let child = Result { try Child(["read", folder.store.path, "first"]) }
            let reader = try child.get()
            try expect(reader.line() == "reads", "It does not read.")
            let client = try SQLDBClient.sqlite(at: folder.store, key: Keys.first)
            try await client.rekey(to: Keys.second)
            let code = reader.line()
            try expect(
                code == "\(DBClientError.Code.wrongKey)",
                "It ends with \(code ?? "nothing")."
            )
            reader.wait()
            try expect(try await client.count(Quixotic.all) == 300, "Rows are missing.")
            try client.close()
        },
        Check(name: "An observation ends when another process changes the key") { folder in
            try await make(folder.store)
            let client = try SQLDBClient.sqlite(at: folder.store, key: Keys.first)
            let observation = Task {
                for try await _ in client.observe(Quixotic.all) {}
            }
            try await Task.sleep(for: .milliseconds(200))
            let child = try Child(["rekey", folder.store.path, "first", "second"])
            while child.line() != nil {}
            child.wait()
            let limit = Task {
                try await Task.sleep(for: .seconds(10))
                observation.cancel()
            }
            try await expectError(.wrongKey, "The observation") { try await observation.value }
            limit.cancel()
            try? client.close()
        },
        Check(name: "A change that is killed leaves the one key or the other") { folder in
            try await make(folder.store, rows: 300, pages: 2)
            let rows = try await read(folder.store, Keys.first)
            var (key, next) = ("first", "second")
            var outcomes: [String: Int] = [:]
            // As long as it takes where nothing ends it.
            let whole = try Child(["rekey", folder.store.path, key, next])
            try expect(whole.line() == "begins", "The process does not begin.")
            let start = ContinuousClock.now
            try expect(whole.line() == "has ended", "The process does not end.")
            let duration = ContinuousClock.now - start
            whole.wait()
            swap(&key, &next)
            for round in 0..<30 {
                let child = try Child(["rekey", folder.store.path, key, next])
                try expect(child.line() == "begins", "The process does not begin.")
                // From at once to after it has ended.
                try await Task.sleep(for: duration * round / 20)
                child.kill()
                var isOfNext = false
                do {
                    try expect(try await read(folder.store, Keys.named(key)) == rows, "Other rows.")
                } catch let error as DBClientError where error.code == .wrongKey {
                    try expect(
                        try await read(folder.store, Keys.named(next)) == rows,
                        "Other rows."
                    )
                    isOfNext = true
                }
                outcomes[isOfNext ? "changed" : "kept", default: 0] += 1
                if isOfNext { swap(&key, &next) }
                try SQLDBClient.verifySQLite(at: folder.store, key: Keys.named(key))
            }
            tell("  \(outcomes)")
            try expect(outcomes.count == 2, "The kills came all before or all after.")
        },
    ]
}
