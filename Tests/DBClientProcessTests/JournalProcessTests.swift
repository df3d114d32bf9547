import DBClientCore
import DBClientObjectStore
import Foundation
import StoreEntry
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Processes on one object store tell each other, row by row, what they commit.
@Suite(.serialized) struct JournalProcessTests {
    private let folder: TemporaryFolder
    private var store: URL { folder.store }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Opens the store for one of several processes that write all the time, of which each may have to wait.
    private static func open(_ store: URL) throws -> ObjectStoreDBClient {
        try ObjectStoreDBClient(at: store, durability: .relaxed, busyTimeout: .seconds(60))
    }

    // MARK: What is told

    @Test func rowsAreToldBeforeAndAfter() async throws {
        try await watched { [store] in
            let client = try ObjectStoreDBClient(at: store)
            var feed = client.changes(of: Entry.self).makeAsyncIterator()
            // With this commit, or before it, the store knows that entries are observed here.
            try client.blocking.insert(Entry(0))
            #expect(try await feed.next()?.inserted == [Entry(0)])
            _ = try Child("edit", store.path).waitForLines()
            let edited = Entry(1_000, text: "edited", bucket: Entry(1_000).bucket)
            let commits = [
                try await feed.next(), try await feed.next(), try await feed.next(),
            ]
            #expect(commits.allSatisfy { $0?.hasUntrackedChanges == false })
            #expect(commits.map { $0?.inserted } == [[Entry(1_000)], [], []])
            #expect(commits.map { $0?.updated.map(\.before) } == [[], [Entry(1_000)], []])
            #expect(commits.map { $0?.updated.map(\.after) } == [[], [edited], []])
            #expect(commits.map { $0?.deleted } == [[], [], [edited]])
            try client.close()
        }
    }

    @Test func aResultIsNotReadAgain() async throws {
        try await watched { [store] in
            let client = ReadCountingClient(try ObjectStoreDBClient(at: store))
            try client.blocking.insert((0..<500).map { Entry($0) })
            let request = Entry.where { $0.bucket != 3 }.sorted { $0.text }
            var changes = client.observe(request).makeAsyncIterator()
            _ = try await changes.next()
            try client.blocking.insert(Entry(-1))
            _ = try await changes.next()
            let before = client.readCount
            let engine = ProcessTests.Engine.objectStore.rawValue
            let child = try Child(engine, store, first: 2_000, count: 30)
            #expect(child.waitForAcknowledged().count == 30)
            var entries: [Entry] = []
            while !entries.contains(where: { $0.id == 2_029 }) {
                guard case .update(let set)? = try await changes.next() else { break }
                entries = Array(set.objects)
            }
            #expect(client.readCount == before)
            #expect(try entries == client.blocking.fetch(request))
            #expect(client.readCount > before)
            try client.close()
        }
    }

    /// Three processes write at random; what is told is, change for change, what they did.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func writesOfSeveralProcessesAreToldInOrder(seed: UInt64) async throws {
        try await watched { [store] in
            let client = try Self.open(store)
            var feed = FeedCopy(client)
            var random = SeededEntries(seed: seed)
            let copies = ResultCopies()
            let requests = (0..<8).map { _ in random.request() }
            let tokens = requests.enumerated().map { index, request in
                client.observe(
                    request,
                    on: copies,
                    onFailure: { copies, error in copies.fail(error) },
                    { copies, change in copies.take(change, ofRequest: index) }
                )
            }
            try client.blocking.insert(Entry(-1))
            let children = try ([1, 2] as [UInt64]).map {
                try Child("random", store.path, "\(seed * 1_000 + $0)", "1200")
            }
            var writes = RandomWrites(seed: seed)
            for _ in 0..<1_200 { try writes.write(through: client) }
            for child in children { _ = child.waitForLines() }
            try client.blocking.insert(Entry(999_999))
            try await feed.take { $0[999_999] != nil }
            #expect(!feed.hasUnseen, "seed \(seed)")
            #expect(feed.mismatches == 0, "seed \(seed)")
            #expect(try feed.entries == FeedCopy.stored(client), "seed \(seed)")
            for (index, request) in requests.enumerated() {
                let expected = try client.blocking.fetch(request)
                while await copies.entries[index] != expected {
                    if let failure = await copies.failure { throw failure }
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            #expect(await copies.mismatches == 0, "seed \(seed)")
            withExtendedLifetime(tokens) {}
            try client.close()
        }
    }

    @Test func whatAKilledWriterCommittedIsToldExactly() async throws {
        try await watched { [store] in
            let client = try Self.open(store)
            var feed = FeedCopy(client)
            try client.blocking.insert(Entry(-1))
            for round in 1...6 {
                let child = try Child("random", store.path, "\(round)", "1000000")
                // It writes, and is killed at another moment each time.
                while try FeedCopy.stored(client) == feed.entries {
                    try await Task.sleep(for: .milliseconds(5))
                }
                try await Task.sleep(for: .milliseconds(50 + 23 * round))
                child.kill()
                _ = child.waitForLines()
                try client.blocking.insert(Entry(1_000_000 + round))
                try await feed.take { $0[1_000_000 + round] != nil }
                #expect(!feed.hasUnseen, "round \(round)")
                #expect(feed.mismatches == 0, "round \(round)")
                #expect(try feed.entries == FeedCopy.stored(client), "round \(round)")
            }
            #expect(feed.commitCount > 20)
            try client.close()
        }
    }

    // MARK: Where the journal does not have it

    @Test func aPrunedJournalMakesAReaderCompare() async throws {
        try await watched { [store] in
            let client = try Self.open(store)
            let watcher = try Child("watch", store.path)
            try watcher.waitForLine("ready")
            watcher.signal(SIGSTOP)
            var writes = RandomWrites(seed: 7)
            for _ in 0..<6_000 { try writes.write(through: client) }
            let counts = try journal(store)
            #expect(counts["watchers"] == 1)
            #expect((3_000...4_096).contains(counts["journal"] ?? 0))
            watcher.signal(SIGCONT)
            try client.blocking.insert(Entry(999_999))
            #expect(watcher.waitForLines().suffix(3) == told(unseen: true))
            try client.close()
        }
    }

    @Test func aDamagedJournalMakesAReaderCompare() async throws {
        try await watched { [store] in
            let client = try Self.open(store)
            let watcher = try Child("watch", store.path)
            try watcher.waitForLine("ready")
            watcher.signal(SIGSTOP)
            var writes = RandomWrites(seed: 8)
            for _ in 0..<100 { try writes.write(through: client) }
            let damage = try Child("damage", store.path).waitForLines()
            #expect(damage.first?.hasPrefix("damaged ") == true && damage != ["damaged 0"])
            watcher.signal(SIGCONT)
            for _ in 0..<100 { try writes.write(through: client) }
            try client.blocking.insert(Entry(999_999))
            #expect(watcher.waitForLines().suffix(3) == told(unseen: true))
            try client.close()
        }
    }

    @Test func aCommitOfVeryManyRowsIsCompared() async throws {
        try await watched { [store] in
            let client = try Self.open(store)
            let watcher = try Child("watch", store.path)
            try watcher.waitForLine("ready")
            try client.blocking.insert((0..<120_000).map { Entry($0) })
            try client.blocking.insert(Entry(999_999))
            #expect(watcher.waitForLines().suffix(3) == told(unseen: true))
            try client.close()
        }
    }

    @Test func aStoreOfAnEarlierVersionGetsAJournal() async throws {
        try await watched { [store] in
            var client = try ObjectStoreDBClient(at: store)
            try client.blocking.insert((0..<50).map { Entry($0) })
            try client.close()
            _ = try Child("strip", store.path).waitForLines()
            client = try ObjectStoreDBClient(at: store)
            #expect(try client.blocking.count(Entry.all) == 50)
            let watcher = try Child("watch", store.path)
            try watcher.waitForLine("ready")
            try client.blocking.delete(Entry.self, key: 3)
            try client.blocking.insert(Entry(999_999))
            #expect(watcher.waitForLines().suffix(3) == told(unseen: false))
            try client.close()
            try ObjectStoreDBClient.verify(at: store)
        }
    }

    // MARK: Observers that are told

    @Test func aWatcherThatEndsTakesTheJournalWithIt() async throws {
        try await watched { [store] in
            let client = try Self.open(store)
            try client.blocking.insert(Entry(0))
            #expect(try journal(store) == ["watchers": 0, "journal": 0])
            let watcher = try Child("watch", store.path)
            try watcher.waitForLine("ready")
            try client.blocking.insert(Entry(1))
            #expect(try journal(store)["watchers"] == 1)
            #expect(try journal(store)["journal"] ?? 0 > 0)
            try client.blocking.insert(Entry(999_999))
            #expect(watcher.waitForLines().suffix(3) == told(unseen: false))
            #expect(try journal(store) == ["watchers": 0, "journal": 0])
            try client.blocking.insert(Entry(2))
            #expect(try journal(store) == ["watchers": 0, "journal": 0])
            try client.close()
        }
    }

    @Test func aKilledWatcherIsForgotten() async throws {
        try await watched { [store] in
            let client = try Self.open(store)
            let watcher = try Child("watch", store.path)
            try watcher.waitForLine("ready")
            for id in 1...20 { try client.blocking.insert(Entry(id)) }
            watcher.kill()
            _ = watcher.waitForLines()
            #expect(try journal(store)["watchers"] == 1)
            // A writer looks once in a second at most.
            let end = ContinuousClock.now + .seconds(60)
            var id = 21
            while try journal(store) != ["watchers": 0, "journal": 0] {
                try #require(ContinuousClock.now < end, "The watcher is not forgotten.")
                try client.blocking.insert(Entry(id))
                id += 1
            }
            try client.close()
        }
    }

    /// The entries of another entity than the observed one are no news, and no gap.
    @Test func commitsToOtherEntitiesAreNoNews() async throws {
        try await watched { [store] in
            let client = ReadCountingClient(try ObjectStoreDBClient(at: store))
            // No entry of those that the writer chooses among.
            try client.blocking.insert(Entry(1_000))
            try client.blocking.insert(Bookmark(id: 1, entry: Reference(1_000), next: nil))
            var feed = client.changes(of: Bookmark.self).makeAsyncIterator()
            var changes = client.observe(Bookmark.all).makeAsyncIterator()
            _ = try await changes.next()
            try client.blocking.insert(Bookmark(id: 2, entry: Reference(1_000), next: nil))
            #expect(try await feed.next()?.inserted.map(\.id) == [2])
            // What is observed has it, so that nothing of ours is still to be read.
            _ = try await changes.next()
            let reads = client.readCount
            _ = try Child("random", store.path, "1", "200").waitForLines()
            // What is not read shows only in time.
            try await Task.sleep(for: .milliseconds(100))
            #expect(client.readCount == reads)
            try client.blocking.insert(Bookmark(id: 3, entry: Reference(1_000), next: nil))
            let next = try await feed.next()
            #expect(next?.inserted.map(\.id) == [3])
            #expect(next?.hasUntrackedChanges == false)
            try client.close()
        }
    }

    /// Runs a body, and cancels it when what it waits for does not come.
    private func watched(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task { try await body() }
        let watchdog = Task {
            try await Task.sleep(for: .seconds(120))
            task.cancel()
        }
        defer { watchdog.cancel() }
        try await task.value
    }
}

/// What a watcher prints at its end.
private func told(unseen: Bool) -> ArraySlice<String> {
    ["unseen \(unseen)", "exact true", "equal true"]
}

/// How many processes observe a store, and how many commits its journal has.
private func journal(_ store: URL) throws -> [String: Int] {
    let lines = try Child("journal", store.path).waitForLines()
    return Dictionary(
        uniqueKeysWithValues: lines.compactMap { line in
            let words = line.split(separator: " ")
            return Int(words[1]).map { (String(words[0]), $0) }
        }
    )
}

/// Requests that come by chance.
private struct SeededEntries {
    private var random: RandomWrites.Numbers

    init(seed: UInt64) {
        random = RandomWrites.Numbers(seed: seed)
    }

    mutating func request() -> FetchRequest<Entry> {
        let (bucket, bound) = (random.next(7), random.next(300))
        var request = FetchRequest<Entry>(Entry.where { $0.bucket != bucket })
        if random.next(3) == 0 { request = Entry.where { $0.id < bound || $0.bucket == bucket } }
        if random.next(4) == 0 { request = Entry.all }
        if random.next(2) == 0 { request = request.sorted { $0.text.descending } }
        if random.next(3) == 0 { request = request.limit(5 + random.next(40)) }
        return request
    }
}
