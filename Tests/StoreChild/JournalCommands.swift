import DBClientCore
import DBClientObjectStore
import Dispatch
import Foundation
import StoreEntry

/// Runs a command of the tests of the journal, and returns whether it was one.
func runJournalCommand(_ arguments: [String]) throws -> Bool {
    guard arguments.count > 1 else { return false }
    let url = URL(fileURLWithPath: arguments[1])
    switch arguments[0] {
    case "edit":
        let client = try ObjectStoreDBClient(at: url)
        try client.blocking.insert(Entry(1_000))
        try client.blocking.update(Entry.self, key: 1_000) { $0.set(\.text, to: "edited") }
        try client.blocking.delete(Entry.self, key: 1_000)
        try client.close()
    case "random":
        guard let seed = UInt64(arguments[2]), let count = Int(arguments[3]) else { return false }
        let client = try ObjectStoreDBClient(
            at: url,
            durability: .relaxed,
            busyTimeout: .seconds(60)
        )
        var writes = RandomWrites(seed: seed)
        for _ in 0..<count { try writes.write(through: client) }
        try client.close()
    case "watch": watch(url)
    case "journal": try RawStore(url).show()
    case "damage": try RawStore(url).damage()
    case "strip": try RawStore(url).strip()
    default: return false
    }
    return true
}

/// Observes entries until there is one with the number 999999, and prints whether all was told.
private func watch(_ url: URL) {
    let done = DispatchSemaphore(value: 0)
    Task {
        do {
            let client = try ObjectStoreDBClient(
                at: url,
                durability: .relaxed,
                busyTimeout: .seconds(60)
            )
            var told = try await Told(client)
            // With this commit, or before it, the store knows that entries are observed here.
            try client.blocking.insert(Entry(-1))
            try await told.take { $0[-1] != nil }
            say("ready")
            try await told.take { $0[999_999] != nil }
            say("unseen \(told.hasUnseen)")
            say("exact \(told.isExact)")
            say("equal \(try await told.isEqual)")
            try client.close()
        } catch {
            say("error \(error)")
        }
        done.signal()
    }
    done.wait()
}

private func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// What a feed and a result were told.
private struct Told {
    private let client: ObjectStoreDBClient
    private var feed: CommitFeed<Entry>.AsyncIterator
    private var result: ChangeStream<Entry>.AsyncIterator
    private var entries: [Int: Entry]
    private(set) var hasUnseen = false
    /// Whether each change was one to what was told before.
    private(set) var isExact = true

    private static let request = Entry.where { $0.bucket != 3 }.sorted { $0.text }

    init(_ client: ObjectStoreDBClient) async throws {
        self.client = client
        feed = client.changes(of: Entry.self).makeAsyncIterator()
        result = client.observe(Self.request).makeAsyncIterator()
        _ = try await result.next()
        entries = try Self.stored(client)
    }

    private static func stored(_ client: ObjectStoreDBClient) throws -> [Int: Entry] {
        let entries = try client.blocking.fetch(Entry.all)
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) })
    }

    /// Takes commits until what they leave fulfils a condition.
    mutating func take(until isDone: ([Int: Entry]) -> Bool) async throws {
        while !isDone(entries), let commit = try await feed.next() {
            if commit.hasUntrackedChanges {
                hasUnseen = true
                entries = try Self.stored(client)
                continue
            }
            for entry in commit.deleted {
                if entries.removeValue(forKey: entry.id) != entry, !hasUnseen { isExact = false }
            }
            for update in commit.updated {
                let old = entries.updateValue(update.after, forKey: update.before.id)
                if old != update.before, !hasUnseen { isExact = false }
            }
            for entry in commit.inserted {
                if entries.updateValue(entry, forKey: entry.id) != nil, !hasUnseen {
                    isExact = false
                }
            }
        }
    }

    /// Whether the result becomes what a fetch finds.
    var isEqual: Bool {
        mutating get async throws {
            let stored = try client.blocking.fetch(Self.request)
            if entries != (try Self.stored(client)) { return false }
            while case .update(let changes)? = try await result.next() {
                if Array(changes.objects) == stored { return true }
            }
            return false
        }
    }
}
