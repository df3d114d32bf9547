import DBClientCore
import StoreEntry

/// What a feed told, applied to what was stored when it began: each change must be one to what was told
/// before it.
struct FeedCopy {
    private var feed: CommitFeed<Entry>.AsyncIterator
    private(set) var entries: [Int: Entry] = [:]
    private(set) var hasUnseen = false
    private(set) var mismatches = 0
    private(set) var commitCount = 0

    /// Begins with a store that has no entries.
    init(_ client: some DBClient) {
        feed = client.changes(of: Entry.self).makeAsyncIterator()
    }

    static func stored(_ client: some DBClient) throws -> [Int: Entry] {
        let entries = try client.blocking.fetch(Entry.all)
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) })
    }

    mutating func take(until isDone: ([Int: Entry]) -> Bool) async throws {
        while !isDone(entries) {
            guard let commit = try await feed.next() else {
                throw DBClientError(.timeout, "The commit was not told in time.")
            }
            commitCount += 1
            if commit.hasUntrackedChanges { hasUnseen = true }
            for entry in commit.deleted {
                if entries.removeValue(forKey: entry.id) != entry { mismatches += 1 }
            }
            for update in commit.updated {
                let old = entries.updateValue(update.after, forKey: update.after.id)
                if old != update.before { mismatches += 1 }
            }
            for entry in commit.inserted {
                if entries.updateValue(entry, forKey: entry.id) != nil { mismatches += 1 }
            }
        }
    }
}
