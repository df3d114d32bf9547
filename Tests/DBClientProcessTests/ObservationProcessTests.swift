import DBClientCore
import Foundation
import StoreEntry
import Testing

/// An observer of one process is told what another one commits.
@Suite(.serialized) struct ObservationProcessTests {
    /// A copy of a result that is made of the positions that were told.
    private struct Copy {
        var entries: [Entry] = []
        var iterator: ChangeStream<Entry>.AsyncIterator

        init(_ stream: ChangeStream<Entry>) async throws {
            iterator = stream.makeAsyncIterator()
            if case .initial(let objects)? = try await iterator.next() { entries = Array(objects) }
        }

        /// Takes change sets until the copy is what a fetch finds.
        mutating func settle(_ fetch: () throws -> [Entry]) async throws {
            while try entries != fetch() {
                guard case .update(let changes)? = try await iterator.next() else {
                    throw DBClientError(.timeout, "The change was not told in time.")
                }
                #expect(Array(changes.previous) == entries)
                changes.apply(to: &entries)
                #expect(entries == Array(changes.objects))
            }
        }
    }

    /// Runs a body, and cancels it when what it waits for does not come.
    private func watched(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task { try await body() }
        let watchdog = Task {
            try await Task.sleep(for: .seconds(90))
            task.cancel()
        }
        defer { watchdog.cancel() }
        try await task.value
    }

    private static let someEntries = Entry.where { $0.bucket != 3 }.sorted { $0.text }

    @Test(arguments: ProcessTests.Engine.allCases)
    func whatAnotherProcessCommitsIsTold(engine: ProcessTests.Engine) async throws {
        let folder = try TemporaryFolder()
        let store = folder.store
        try await watched {
            let client = try engine.open(store)
            try client.blocking.insert((0..<500).map { Entry($0) })
            var copy = try await Copy(client.observe(Self.someEntries))
            var window = try await Copy(
                client.observe(Entry.all.sorted { $0.id.descending }.limit(5))
            )
            // This process does not write, so that only the other's commits can be told.
            let child = try Child(engine.rawValue, store, first: 1_000, count: 40)
            #expect(child.waitForAcknowledged().count == 40)
            try await copy.settle { try client.blocking.fetch(Self.someEntries) }
            try await window.settle {
                try client.blocking.fetch(Entry.all.sorted { $0.id.descending }.limit(5))
            }
            #expect(copy.entries.contains { $0.id == 1_038 })
            #expect(window.entries.first?.id == 1_039)
            try client.close()
        }
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: ProcessTests.Engine.allCases)
    func commitsOfBothProcessesAreTold(engine: ProcessTests.Engine) async throws {
        let folder = try TemporaryFolder()
        let store = folder.store
        try await watched {
            let client = try engine.open(store)
            try client.blocking.insert(Entry(0))
            var copy = try await Copy(client.observe(Self.someEntries))
            let children = try [1_000, 2_000].map {
                try Child(engine.rawValue, store, first: $0, count: 40)
            }
            for id in 1...60 {
                try await client.insert(Entry(id))
                if id % 3 == 0 { try await client.delete(Entry.self, key: id - 1) }
                if id % 10 == 0 {
                    // Takes what has come, among the writes of all three.
                    guard case .update(let changes)? = try await copy.iterator.next() else { break }
                    #expect(Array(changes.previous) == copy.entries)
                    changes.apply(to: &copy.entries)
                }
            }
            for child in children { #expect(child.waitForAcknowledged().count == 40) }
            try await copy.settle { try client.blocking.fetch(Self.someEntries) }
            try client.close()
        }
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: ProcessTests.Engine.allCases)
    func sumsAndGroupsFollowAnotherProcess(engine: ProcessTests.Engine) async throws {
        let folder = try TemporaryFolder()
        let store = folder.store
        try await watched {
            let client = try engine.open(store)
            try client.blocking.insert((0..<500).map { Entry($0) })
            var sums = client.observeSum(\.id, of: Self.someEntries).makeAsyncIterator()
            let request = Entry.all.grouped(by: \.bucket).select(.count, .max(\.id))
            var groups = client.observe(request).makeAsyncIterator()
            var sum = try await sums.next()
            var rows = try #require(try await groups.next()).rows
            let children = try [1_000, 2_000].map {
                try Child(engine.rawValue, store, first: $0, count: 40)
            }
            for id in 500...540 {
                try await client.insert(Entry(id))
                if id % 3 == 0 { try await client.delete(Entry.self, key: id - 1) }
            }
            for child in children { #expect(child.waitForAcknowledged().count == 40) }
            let expected = try client.blocking.sum(\.id, of: Self.someEntries)
            while sum != expected {
                sum = try await sums.next()
                if sum == nil { throw DBClientError(.timeout, "The sum was not told in time.") }
            }
            let last = try client.blocking.fetch(request).map { "\($0)" }
            while rows.map({ "\($0)" }) != last {
                rows = try #require(try await groups.next()).rows
            }
            try client.close()
        }
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: ProcessTests.Engine.allCases)
    func whatAKilledProcessCommittedIsTold(engine: ProcessTests.Engine) async throws {
        let folder = try TemporaryFolder()
        let store = folder.store
        try await watched {
            let client = try engine.open(store)
            try client.blocking.insert(Entry(0))
            var copy = try await Copy(client.observe(Entry.all))
            for round in 1...4 {
                let first = round * 100_000
                let child = try Child(engine.rawValue, store, first: first, count: 100_000)
                // The writer is killed at another moment each time.
                try await Task.sleep(for: .milliseconds(60 + 40 * round))
                child.kill()
                let acknowledged = child.waitForAcknowledged()
                try await copy.settle { try client.blocking.fetch(Entry.all) }
                #expect(Set(acknowledged).isSubset(of: Set(copy.entries.map(\.id))))
                try await client.insert(Entry(round))
                try await copy.settle { try client.blocking.fetch(Entry.all) }
            }
            try client.close()
        }
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: ProcessTests.Engine.allCases)
    func valuesAndFeedsAreToldOfOtherProcesses(engine: ProcessTests.Engine) async throws {
        let folder = try TemporaryFolder()
        let store = folder.store
        try await watched {
            let client = try engine.open(store)
            try client.blocking.insert(Entry(0))
            var counts = client.observeCount(Entry.all).makeAsyncIterator()
            #expect(try await counts.next() == 1)
            var feed = client.changes(of: Entry.self).makeAsyncIterator()
            let child = try Child(engine.rawValue, store, first: 1_000, count: 3)
            #expect(child.waitForAcknowledged().count == 3)
            while let count = try await counts.next(), count < 4 {}
            // The object store's journal has the rows.
            let isExact = engine != .sqlite
            #expect(try await feed.next()?.hasUntrackedChanges == !isExact)
            try client.close()
        }
        withExtendedLifetime(folder) {}
    }

    @Test("What the sqlite3 shell writes is told", .enabled(if: shell != nil))
    func strangersAreTold() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store
        try await watched {
            let client = try ProcessTests.Engine.sqlite.open(store)
            try client.blocking.insert((0..<20).map { Entry($0) })
            var copy = try await Copy(client.observe(Self.someEntries))
            let process = Process()
            process.executableURL = Self.shell
            process.arguments = [
                store.path,
                """
                DELETE FROM "Entry" WHERE id < 5;
                UPDATE "Entry" SET text = 'shell' WHERE id = 7;
                INSERT INTO "Entry" (id, text, bucket) VALUES (99, 'shell too', 1);
                """,
            ]
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            try await copy.settle { try client.blocking.fetch(Self.someEntries) }
            #expect(copy.entries.contains { $0.text == "shell too" })
            try client.close()
        }
        withExtendedLifetime(folder) {}
    }

    private static let shell = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
        .map { URL(fileURLWithPath: $0) }
}
