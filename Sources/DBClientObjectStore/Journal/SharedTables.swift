/// The tables through which processes notify each other of their commits.
struct SharedTables: Sendable {
    let journal: Journal
    let watchers: WatcherTable
}
