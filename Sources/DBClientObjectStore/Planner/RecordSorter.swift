import DBClientCore

/// Sorts records by a query's total order, keeping no more than its limit asks for.
///
/// Its state is touched for every record, by one thread; the run-time check of that is left out. Sort
/// keys are slots that borrow the records' bytes, which outlive the sorter.
final class RecordSorter {
    private let comparator: RowComparator
    private let columns: [Int]
    /// For each key the field of what records lead to, where the key is one.
    private let related: [RelatedField?]
    /// How many of the first records are wanted, offset included; nil for all.
    private let wanted: Int?
    private let offset: Int
    @exclusivity(unchecked) private var keys: [Slot] = []
    @exclusivity(unchecked) private var records: [Record] = []
    /// The entry after which nothing is wanted, once that many have been seen.
    @exclusivity(unchecked) private var worst: [Slot] = []
    /// How many entries are kept before they are cut down to those that are wanted.
    private let cutAt: Int
    /// The first field of the order when it is a number: its rank decides between most records.
    private let leading: RecordLayout.Field?
    private let leadingIsDescending: Bool
    /// The rank of the leading field of `worst`; nil when that is absent or no number.
    @exclusivity(unchecked) private var worstRank: UInt64?

    init(_ query: RowQuery, _ layout: RecordLayout, in reader: StoreReader) {
        let order = query.totalOrder
        let fields = order.map { RelatedField($0, of: query.entity, in: reader) }
        related = fields.contains { $0 != nil } ? fields : []
        comparator = RowComparator(order)
        columns = order.map(\.column)
        offset = query.offset
        let field = related.isEmpty ? layout.fields[order[0].column] : nil
        leading = field.flatMap { [.integer, .real, .boolean].contains($0.kind) ? $0 : nil }
        leadingIsDescending = order[0].isDescending
        wanted = query.wantedCount
        let (double, overflows) = (wanted ?? .max).multipliedReportingOverflow(by: 2)
        cutAt = overflows ? .max : max(double, 256)
    }

    func add(_ record: Record) throws {
        if related.isEmpty {
            if !worst.isEmpty, comesTooLate(record) { return }
            for column in columns { keys.append(record.slot(column)) }
        } else {
            for (column, field) in zip(columns, related) {
                keys.append(try field?.slot(of: record) ?? record.slot(column))
            }
        }
        records.append(record)
        if records.count >= cutAt { cut() }
    }

    /// Whether a record comes after everything that is wanted.
    @inline(__always)
    private func comesTooLate(_ record: Record) -> Bool {
        if let worstRank, let leading, !record.isNull(leading) {
            let rank = rank(
                leading.kind == .boolean ? UInt64(record.byte(leading)) : record.word(leading),
                isReal: leading.kind == .real
            )
            if rank != worstRank { return rank > worstRank }
        }
        return isWorse(record)
    }

    /// Returns a number that ascends with the order of the leading field, given by its bits.
    @inline(__always)
    private func rank(_ bits: UInt64, isReal: Bool) -> UInt64 {
        let ascending = isReal && bits >> 63 == 1 ? ~bits : bits ^ 1 << 63
        return leadingIsDescending ? ~ascending : ascending
    }

    /// Whether a record comes after the worst one that is wanted, decided by as few fields as possible.
    private func isWorse(_ record: Record) -> Bool {
        for index in columns.indices {
            let order = comparator.compare(record.slot(columns[index]), worst[index], by: index)
            if order != 0 { return order > 0 }
        }
        return false
    }

    private func sortedEntries() -> [Int] {
        let width = columns.count
        return keys.withUnsafeBufferPointer { keys in
            guard let first = keys.baseAddress else { return [] }
            return Array(0..<records.count).sorted {
                comparator.compare(first + $0 * width, first + $1 * width) < 0
            }
        }
    }

    private func cut() {
        guard let wanted, wanted > 0, records.count >= wanted else { return }
        let width = columns.count
        var keptKeys: [Slot] = []
        var keptRecords: [Record] = []
        keptKeys.reserveCapacity(cutAt * width)
        keptRecords.reserveCapacity(cutAt)
        for entry in sortedEntries().prefix(wanted) {
            keptKeys += keys[entry * width..<(entry + 1) * width]
            keptRecords.append(records[entry])
        }
        worst = Array(keptKeys.suffix(width))
        worstRank =
            leading == nil || worst[0].isNull
            ? nil : rank(worst[0].bits, isReal: worst[0].kind == .real)
        keys = keptKeys
        records = keptRecords
    }

    /// Calls a function with the wanted records in order.
    func forEach(_ layout: RecordLayout, _ body: (Record) throws -> Bool) throws {
        let entries = sortedEntries()
        for entry in entries.dropFirst(offset).prefix((wanted ?? Int.max) - offset) {
            guard try body(records[entry]) else { return }
        }
    }
}
