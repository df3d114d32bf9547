/// The tables by which processes tell each other what they commit.
struct SharedTables: Sendable {
    let journal: Journal
    let watchers: WatcherTable
}
