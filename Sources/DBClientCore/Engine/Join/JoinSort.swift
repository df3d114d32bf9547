/// Keeps rows, and passes them on sorted.
///
/// Where not all fit into memory, the first of the order are passed on, and what comes behind them waits for another
/// run, which gives the same rows again.
final class JoinSort: JoinOutput {
    private let columns: [Int]
    private let order: [RowOrdering]
    private let related: [RelatedField?]
    private let comparator: RowComparator
    private let entity: EntitySchema
    private let residual: RowPredicate
    private let memory: JoinMemory?
    private let visit: (RowBatch) throws -> Bool
    /// The keys of the sort, then the fields, row by row.
    private var slots: [Slot] = []
    private var bytes: RowBuffer
    private var count = 0
    /// About how many bytes the rows take.
    private var used = 0
    /// How many bytes may be taken before rows are put off again: alike ones cannot be told apart.
    private var ceiling = 0
    private var skipped: Int
    private var wanted: Int?
    /// The keys of the last row that was passed on: those up to it are done.
    private var done: SortedRow?
    /// The keys of the last row that is kept, behind which rows were put off.
    private var last: SortedRow?
    /// Whether the rows are to be put together once more, for those that were put off.
    private(set) var needsAnotherRun = false

    /// Creates an empty sort, whose memory is nil where the rows are few.
    init(
        _ columns: [Int],
        _ query: RowQuery,
        _ residual: RowPredicate,
        _ order: [RowOrdering],
        _ related: [RelatedField?],
        in memory: JoinMemory? = nil,
        _ visit: @escaping (RowBatch) throws -> Bool
    ) {
        self.columns = columns
        self.residual = residual
        self.order = order
        self.related = related
        self.memory = memory
        self.visit = visit
        entity = query.entity
        skipped = query.offset
        wanted = query.limit
        comparator = RowComparator(order)
        bytes = RowBuffer(query.entity, columns: [])
    }

    private var width: Int { order.count + columns.count }
    /// How many rows may be in the result; nil for any number.
    private var needed: Int? {
        wanted.map { $0.addingReportingOverflow(skipped) }.map {
            $0.overflow ? .max : $0.partialValue
        }
    }

    func add(_ row: UnsafePointer<Slot>) throws -> Bool {
        guard residual.matches(SlotRow(row)) else {
            try residual.check()
            return true
        }
        let start = slots.count
        for (ordering, field) in zip(order, related) {
            slots.append(try field?.slot(of: SlotRow(row)) ?? row[ordering.column])
        }
        if isDoneOrPutOff(start) {
            slots.removeLast(order.count)
            return true
        }
        for column in columns { slots.append(row[column]) }
        for place in start..<slots.count { slots[place] = bytes.owned(slots[place]) }
        count += 1
        if let needed, needed < Int.max / 4, count > needed * 2 + 1_024 { keepFirst(needed) }
        guard let memory else { return true }
        used += slots.withUnsafeBufferPointer { size(of: $0, count - 1) }
        memory.noteSorted(used)
        if used > max(memory.budget, ceiling) { putOff(beyond: memory.budget / 4 * 3) }
        return true
    }

    func endBatch() -> Bool { true }

    /// Whether a row, whose keys are at a position, was passed on already, or is behind those that are kept.
    private func isDoneOrPutOff(_ start: Int) -> Bool {
        if done == nil && last == nil { return false }
        return slots.withUnsafeBufferPointer { slots in
            guard let keys = slots.baseAddress.map({ $0 + start }) else { return false }
            if let done, done.compare(keys, comparator) <= 0 { return true }
            if let last, last.compare(keys, comparator) > 0 { return true }
            return false
        }
    }

    private func size(of slots: UnsafeBufferPointer<Slot>, _ row: Int) -> Int {
        slots.baseAddress.map { JoinMemory.size(of: $0 + row * width, width) } ?? 0
    }

    /// Drops all rows but the first of the order, and what they borrow.
    private func keepFirst(_ number: Int) {
        let kept = RowBuffer(entity, columns: [])
        var slots: [Slot] = []
        slots.reserveCapacity(min(number, count) * width)
        for row in sortedRows().prefix(number) {
            for index in 0..<width { slots.append(kept.owned(self.slots[row * width + index])) }
        }
        self.slots = slots
        count = min(number, count)
        bytes = kept
        used = slots.withUnsafeBufferPointer { slots in
            (0..<count).reduce(0) { $0 + size(of: slots, $1) }
        }
    }

    /// Keeps the first rows of the order for this run: as many as take so many bytes, one at least, and those that are
    /// alike with the last of them.
    private func putOff(beyond budget: Int) {
        let rows = sortedRows()
        let number = slots.withUnsafeBufferPointer { slots in
            guard let start = slots.baseAddress else { return 0 }
            var taken = size(of: slots, rows[0])
            var number = 1
            while number < rows.count {
                taken += size(of: slots, rows[number])
                let isAlike =
                    comparator.compare(
                        start + rows[number] * width,
                        start + rows[number - 1] * width
                    ) == 0
                if taken > budget && !isAlike { break }
                number += 1
            }
            return number
        }
        keepFirst(number)
        ceiling = used + budget / 3
        last = SortedRow(slots[((count - 1) * width)...].prefix(order.count), entity)
    }

    private func sortedRows() -> [Int] {
        slots.withUnsafeBufferPointer { slots in
            guard let start = slots.baseAddress else { return [] }
            return (0..<count).sorted {
                comparator.compare(start + $0 * width, start + $1 * width) < 0
            }
        }
    }

    /// Passes the rows on that are kept, and forgets them.
    func finish() throws {
        needsAnotherRun = false
        let all = sortedRows()
        let rows = all.dropFirst(skipped).prefix(wanted ?? .max)
        let wantsMore = try pass(rows)
        skipped = max(skipped - count, 0)
        wanted = wanted.map { $0 - rows.count }
        if let last {
            done = last
            needsAnotherRun = wantsMore && wanted != 0
        }
        last = nil
        slots = []
        bytes = RowBuffer(entity, columns: [])
        (count, used, ceiling) = (0, 0, 0)
    }

    /// Passes rows on, and returns false once no more are wanted.
    private func pass(_ rows: ArraySlice<Int>) throws -> Bool {
        var batch: [Slot] = []
        var next = rows.startIndex
        while next < rows.endIndex {
            let end = min(next + 512, rows.endIndex)
            batch.removeAll(keepingCapacity: true)
            for row in rows[next..<end] {
                let start = row * width + order.count
                batch.append(contentsOf: slots[start..<start + columns.count])
            }
            if columns.isEmpty { batch.append(.null) }
            let wantsMore = try batch.withUnsafeBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return true }
                return try visit(
                    RowBatch(
                        slots: start,
                        columnCount: columns.count,
                        count: end - next,
                        entity: entity
                    )
                )
            }
            if !wantsMore { return false }
            next = end
        }
        return true
    }
}

/// The keys of a row in a sort, which outlive the row.
private struct SortedRow {
    private let bytes: RowBuffer
    private let keys: [Slot]

    init(_ keys: some Sequence<Slot>, _ entity: EntitySchema) {
        let bytes = RowBuffer(entity, columns: [])
        self.keys = keys.map { bytes.owned($0) }
        self.bytes = bytes
    }

    /// Returns the order of other keys against these.
    func compare(_ other: UnsafePointer<Slot>, _ comparator: RowComparator) -> Int {
        withExtendedLifetime(bytes) {
            keys.withUnsafeBufferPointer { keys in
                keys.baseAddress.map { comparator.compare(other, $0) } ?? 0
            }
        }
    }
}
