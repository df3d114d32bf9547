import DBClientCore
import Dispatch

/// A writer's side of the journal: which entities other processes observe, and the entries of what it
/// commits to them.
///
/// Used by one write transaction at a time.
final class JournalWriter: @unchecked Sendable {
    private let environment: Environment
    private let journal: Journal
    private let table: WatcherTable
    private let registration: Registration
    private weak let hub: ChangeHub?
    /// The entities that each other process observes, by the id of the process.
    private var watchers: [UInt64: Set<EntityName>] = [:]
    /// The number of the last commit whose list of watchers is known.
    ///
    /// Only a commit changes the list, so it is not read while no other process commits.
    private var known: UInt64 = 0
    /// The number of the transaction that runs.
    private var number: UInt64 = 0
    /// What the hub was asked to capture.
    private var captured = Set<EntityName>()
    /// When it is looked next which processes have ended.
    private var nextLook: UInt64 = 0

    /// How often it is looked which processes have ended, in nanoseconds.
    private static let lookInterval: UInt64 = 1_000_000_000

    init(
        _ environment: Environment,
        _ tables: SharedTables,
        _ registration: Registration,
        _ hub: ChangeHub
    ) {
        self.environment = environment
        journal = tables.journal
        table = tables.watchers
        self.registration = registration
        self.hub = hub
    }

    /// Begins a transaction, and has the hub capture rows of what other processes observe.
    func begin(_ writer: StoreWriter) {
        number = writer.number
        if number - 1 != known { readWatchers(writer) }
        let names = watchers.values.reduce(into: Set()) { $0.formUnion($1) }
        if names == captured { return }
        captured = names
        hub?.capture(forOthers: names)
    }

    /// Writes what else belongs to the transaction: that this process observes, and what it did that
    /// other processes observe.
    func prepare(_ writer: StoreWriter, _ units: [CapturedUnit]?) throws {
        // Undoing a savepoint may have restarted the transaction.
        number = writer.number
        if number - 1 != known { readWatchers(writer) }
        let hasWithdrawn = try registration.write(in: writer)
        // A commit of nothing takes no number.
        guard writer.hasWritten else { return }
        if try removeEnded(writer) || hasWithdrawn, try table.isEmpty(in: writer) {
            try journal.clear(in: writer)
        }
        guard !watchers.isEmpty, let units else { return }
        let entry = try JournalEntry.bytes(of: units, watched: captured) {
            try writer.tables(of: $0).layout
        }
        try journal.append(entry, in: writer)
    }

    /// Ends the transaction; what was read in one that was undone is read again.
    func end(_ writer: StoreWriter, hasCommitted: Bool) {
        registration.endTransaction(hasCommitted: hasCommitted)
        // What was read or removed in a transaction that was undone may be otherwise.
        known = hasCommitted ? number - (writer.hasWritten ? 0 : 1) : 0
    }

    /// Goes without a place on the list: the store takes no more.
    func giveUp() {
        registration.giveUp()
    }

    private func readWatchers(_ writer: StoreWriter) {
        // Without the list nothing is written for other processes, and they read the store again.
        watchers = (try? table.all(in: writer)) ?? [:]
        known = number - 1
        registration.noteStored(watchers.removeValue(forKey: Environment.ownProcess) ?? [])
    }

    /// Removes the processes that have ended from the list, and returns whether there were any.
    private func removeEnded(_ writer: StoreWriter) throws -> Bool {
        if watchers.isEmpty { return false }
        let now = DispatchTime.now().uptimeNanoseconds
        guard now >= nextLook else { return false }
        nextLook = now + Self.lookInterval
        guard let living = environment.readingProcesses() else { return false }
        let ended = watchers.keys.filter { !living.contains($0) }
        for process in ended {
            try table.set([], of: process, in: writer)
            watchers[process] = nil
        }
        return !ended.isEmpty
    }
}
