/// Chooses among the rows of selections by what is stored of them, before they are read as values.
@usableFromInline
final class RowSieve {
    private let isKept: (UnsafeBufferPointer<Slot>) -> Bool
    /// Chooses among those that this one keeps.
    private let next: RowSieve?
    /// Which of the rows that a request finds are chosen among, in place of what the request says; nil where nothing is
    /// said about that.
    let window: SelectedWindow?

    init(_ next: RowSieve? = nil, _ isKept: @escaping (UnsafeBufferPointer<Slot>) -> Bool) {
        self.next = next
        self.isKept = isKept
        window = nil
    }

    /// Creates a sieve that leaves the choice to another, of rows that a request finds otherwise than it says.
    init(_ next: RowSieve?, in window: SelectedWindow) {
        self.next = next
        self.window = window
        isKept = { _ in true }
    }

    /// The sieve that chooses, without those that say which rows are found; nil where all are kept.
    var choosing: RowSieve? { window == nil ? self : next?.choosing }

    /// Which rows a request finds, where sieves say so: what comes later in the chain was said later, and counts.
    var allWindows: SelectedWindow? {
        guard let window else { return nil }
        return next?.allWindows?.applied(to: window) ?? window
    }

    /// Whether a row is kept, of which the first so many slots are looked at.
    func keeps(_ row: UnsafeBufferPointer<Slot>, _ width: Int) -> Bool {
        keeps(UnsafeBufferPointer(rebasing: row.prefix(width)))
    }

    private func keeps(_ row: UnsafeBufferPointer<Slot>) -> Bool {
        isKept(row) && next?.keeps(row) ?? true
    }

    /// Visits the rows of a batch that are kept.
    func sift(_ batch: RowBatch, _ visit: (RowBatch) throws -> Void) throws {
        var start = 0
        for row in 0...batch.count {
            if row < batch.count,
                keeps(
                    UnsafeBufferPointer(
                        start: batch.slots + row * batch.columnCount,
                        count: batch.columnCount
                    )
                )
            {
                continue
            }
            if start < row { try visit(batch.rows(start..<row)) }
            start = row + 1
        }
    }
}

/// Rows that were seen, by what is stored of them.
final class SeenRows {
    /// The rows by how many fields they have.
    private var tables: [Int: GroupTable] = [:]

    /// Adds a row, and returns whether it was new.
    func insert(_ row: UnsafeBufferPointer<Slot>) -> Bool {
        guard let start = row.baseAddress else { return false }
        let table = tables[row.count] ?? GroupTable(.constant, Array(row.indices))
        tables[row.count] = table
        let count = table.count
        return table.find(start) == count
    }

    func contains(_ row: UnsafeBufferPointer<Slot>) -> Bool {
        guard let start = row.baseAddress else { return false }
        return tables[row.count]?.position(of: start) != nil
    }
}
