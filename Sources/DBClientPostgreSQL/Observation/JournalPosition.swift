import DBClientCore

/// How far a journal was read: to every commit that one snapshot of the server's saw.
struct JournalPosition {
    /// The run of the server in which the snapshot was taken.
    let run: ServerRun?
    /// The snapshot, as the server writes it: the oldest transaction that ran, the number that was given next,
    /// and the transactions between the two that ran.
    let snapshot: String
    /// When it was taken, by the server's clock, in microseconds.
    let moment: Int64
    /// The journal's table and its file, which changes when the table is recreated or emptied.
    let table: String

    /// The number that the next transaction got.
    var next: UInt64 { part(1).flatMap { UInt64($0) } ?? 0 }

    /// The numbers of the transactions that ran, as the server writes a list.
    var running: String { "{\(part(2) ?? "")}" }

    private func part(_ index: Int) -> Substring? {
        let parts = snapshot.split(separator: ":", omittingEmptySubsequences: false)
        return index < parts.count ? parts[index] : nil
    }

    /// Whether the position is that of a later snapshot than another one's, or of another journal.
    ///
    /// Of two snapshots of one server the later one has all that the earlier one has.
    func isAfter(_ other: JournalPosition) -> Bool {
        guard run == other.run, table == other.table else { return true }
        guard next == other.next else { return next > other.next }
        return running.count < other.running.count
    }
}
