/// Some fields of a query's rows and what windows give beside them, which rows that come and go change: confined to the
/// hub once they are read.
///
/// A written row has its windows look at the rows that are like it: at those behind it for numbers and ranks, at all of them
/// for the rest. Rows that get something else have another entry.
final class KeptWindows: KeptEntries, @unchecked Sendable {
    /// What is kept of one row.
    final class Place {
        fileprivate let identity: FieldsKey
        fileprivate var key: OrderKey
        /// The fields that are selected and those that windows go by; nil once the row has gone.
        fileprivate var row: JoinedRow?
        /// Where it is in each sort of the windows, and the fields by which it got there.
        fileprivate var members: [KeptPartition.Member?]
        fileprivate var placed: JoinedRow?
        /// Why nothing is computed of the row.
        fileprivate var failure: (any Error)?
        /// What was visited last; nil while nothing was.
        fileprivate var shown: ResultEntry?
        fileprivate var isDirty = false

        fileprivate init(_ identity: FieldsKey, _ key: OrderKey, _ sorts: Int) {
            self.identity = identity
            self.key = key
            members = Array(repeating: nil, count: sorts)
        }

        /// One of the fields that windows go by.
        func field(_ position: Int) -> Slot { placed.map { $0.slots[position] } ?? .null }
    }

    /// Windows by the same fields in the same sort, which share partitions.
    private final class Sort {
        var windows: [PlacedWindow] = []
        var partitions: [FieldsKey: KeptPartition] = [:]
        let partition: [Int]
        let orderings: [Int]
        let rows: [RowOrdering]

        init(_ window: PlacedWindow) {
            partition = window.partition
            orderings = window.orderings.map(\.place)
            rows = window.orderings.map(\.ordering)
        }

        func isOf(_ window: PlacedWindow) -> Bool {
            partition == window.partition && orderings == window.orderings.map(\.place)
                && rows == window.orderings.map(\.ordering)
        }
    }

    private let entity: EntitySchema
    private let rows: WindowRows
    private let sorts: [Sort]
    /// Of each window its sort and its position there.
    private let windows: [(sort: Int, index: Int)]
    private var fields: KeptRowFields
    private let make: (OrderKey, UnsafeBufferPointer<Slot>) -> ResultEntry
    private let limit: Int?
    private let offset: Int
    private let arena = RowBuffer(.constant, columns: [])
    private var places: [FieldsKey: Place] = [:]
    private var dirty: [Place] = []
    private var slots: [Slot] = []
    /// The rows of which nothing is computed, and the partitions whose functions have no values.
    private var failures: [ObjectIdentifier: any Error] = [:]

    /// Reads the rows of a query that is kept but for its limit and offset, which windows do not look at.
    ///
    /// - Parameters:
    ///   - fields: What is selected: own fields, what is computed from such, and windows by either.
    ///   - query: The query, of whose order each key is a field of the rows.
    ///   - reader: The snapshot that they are read in.
    ///   - make: Makes the entry of a row of its place in the order and its fields.
    /// - Throws: What reading throws.
    init(
        _ fields: [RowGrouping.Key],
        of query: RowQuery,
        in reader: any EngineReader,
        _ make: @escaping (OrderKey, UnsafeBufferPointer<Slot>) -> ResultEntry
    ) throws {
        var query = query
        (limit, offset) = (query.limit, query.offset)
        (query.limit, query.offset) = (nil, 0)
        entity = query.entity
        let rows = WindowRows(fields, of: query.entity)
        self.rows = rows
        var sorts: [Sort] = []
        windows = rows.windows.map { window -> (sort: Int, index: Int) in
            let known = sorts.firstIndex { $0.isOf(window) }
            if known == nil { sorts.append(Sort(window)) }
            let sort = known ?? sorts.count - 1
            sorts[sort].windows.append(window)
            return (sort, sorts[sort].windows.count - 1)
        }
        self.sorts = sorts
        self.make = make
        self.fields = KeptRowFields(rows.selected, of: query)
        super.init()
        try self.fields.node.read(in: reader) { change($0, $1) }
    }

    // MARK: Rows

    override var hasChanged: Bool { !dirty.isEmpty }

    override func take(before: RowBatch?, after: RowBatch?, of input: Int) -> Bool {
        fields.node.take(before: before, after: after, of: input) { change($0, $1) }
    }

    /// Adds a row or takes it away.
    private func change(_ row: UnsafePointer<Slot>, _ weight: Int) {
        let (key, identity) = fields.place(of: row)
        let place = places[identity] ?? Place(identity, key, sorts.count)
        places[identity] = place
        markDirty(place)
        place.row = nil
        place.failure = nil
        guard weight > 0 else { return }
        place.key = key
        do {
            place.row = try fields.withFields(of: row) { fields in
                // What is of no field has rows of none.
                var slot = Slot.null
                guard let first = fields.baseAddress, !fields.isEmpty else {
                    return JoinedRow(&slot, [0])
                }
                return JoinedRow(first, Array(fields.indices))
            }
        } catch {
            place.failure = error
        }
    }

    private func markDirty(_ place: Place) {
        if place.isDirty { return }
        place.isDirty = true
        dirty.append(place)
    }

    // MARK: Windows

    override func visitChanges(_ visit: (ResultEntry?, ResultEntry?) -> Void) throws {
        var touched: [KeptPartition] = []
        for place in dirty { settle(place, &touched) }
        for partition in touched {
            arena.removeAll()
            partition.update(arena) { self.markDirty($0.row) }
            failures[ObjectIdentifier(partition)] = partition.failure
        }
        for sort in sorts {
            for partition in touched where partition.isEmpty {
                if sort.partitions[partition.key] === partition {
                    sort.partitions[partition.key] = nil
                    failures[ObjectIdentifier(partition)] = nil
                }
            }
        }
        // As a reading, which computes windows where it shows rows.
        if let failure = failures.first?.value, limit != 0, places.count > offset { throw failure }
        for place in dirty {
            let (old, new) = (place.shown, entry(of: place))
            place.shown = new
            place.isDirty = false
            if old != nil || new != nil { visit(old, new) }
        }
        dirty = []
    }

    /// Takes a row from where it was in each sort, and puts it where it is.
    private func settle(_ place: Place, _ touched: inout [KeptPartition]) {
        func touch(_ partition: KeptPartition) {
            if !partition.isTouched { touched.append(partition) }
        }
        for (index, sort) in sorts.enumerated() {
            let old = place.members[index]
            let new = place.row.map { self.place($0, place.key, in: sort) }
            if let old, let new, let row = place.row, let placed = place.placed,
                old.partition.key == new.partition, !old.isElsewhere(new.key),
                sort.windows.allSatisfy({ window in
                    window.operand.map { row.isSame(placed, at: $0.place) } ?? true
                })
            {
                continue
            }
            if let old {
                touch(old.partition)
                old.partition.remove(old)
            }
            place.members[index] = new.map { new in
                let partition =
                    sort.partitions[new.partition]
                    ?? KeptPartition(new.partition, sort.windows, of: entity)
                sort.partitions[new.partition] = partition
                touch(partition)
                let member = KeptPartition.Member(
                    new.key,
                    sortLength: new.sortLength,
                    place,
                    of: partition
                )
                partition.add(member)
                return member
            }
        }
        place.placed = place.row
        failures[ObjectIdentifier(place)] = place.failure
        if place.row == nil, place.failure == nil { places[place.identity] = nil }
    }

    private func place(
        _ row: JoinedRow,
        _ key: OrderKey,
        in sort: Sort
    ) -> (partition: FieldsKey, key: [UInt8], sortLength: Int) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16 * sort.orderings.count + key.bytes.count)
        for (position, ordering) in zip(sort.orderings, sort.rows) {
            var slot = row.slots[position]
            // What is computed may be a zero below zero, which is sorted as the other one.
            if slot.kind == .real, slot.real == 0 { slot = .real(0) }
            OrderKeyEncoder.append(slot, by: ordering, to: &bytes)
        }
        let length = bytes.count
        bytes += key.bytes
        return (FieldsKey(row.slots, sort.partition), bytes, length)
    }

    private func entry(of place: Place) -> ResultEntry? {
        if let failure = place.failure { return ValuesEntry(place.key, [], failure: failure) }
        guard let row = place.row else { return nil }
        arena.removeAll()
        slots.removeAll(keepingCapacity: true)
        for source in rows.sources {
            switch source {
            case .selected(let position): slots.append(row.slots[position])
            case .window(let position):
                let (sort, index) = windows[position]
                let value = place.members[sort]?.values[index] ?? .null
                slots.append(value.slot(in: arena))
            }
        }
        return slots.withUnsafeBufferPointer { make(place.key, $0) }
    }
}

extension JoinedRow {
    /// Whether another row of the same fields holds the same in one of them.
    fileprivate func isSame(_ other: JoinedRow, at position: Int) -> Bool {
        let (left, right) = (slots[position], other.slots[position])
        if left.kind == .real, right.kind == .real { return left.bits == right.bits }
        return Slot.compare(left, right) == 0
    }
}
