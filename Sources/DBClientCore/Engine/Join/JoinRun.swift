/// One run of a plan: the rows of the parts that are loaded, and the row that is being put together.
final class JoinRun {
    let plan: JoinPlan
    private let output: any JoinOutput
    /// The fields of each part that are looked at, as positions of its entity.
    let columns: [[Int]]
    /// The fields of the joined row, of which those that are looked at are set.
    private let row: UnsafeMutablePointer<Slot>
    private let width: Int
    /// The rows of the parts behind the first; nil for those that are read anew for each row before.
    var tables: [JoinTable?] = []
    /// What the rows take.
    var sizes: [Int] = []
    private let matches: [RowPredicate]
    private let filters: [RowPredicate]

    /// So many rows of the first part are few, whatever the others have.
    private static let fewRows = 256
    /// So many are at most, which is what an engine makes of a list of values at once.
    private static let mostOfFew = 1_000
    /// A row that is looked up costs as much as passing over so many.
    private static let costOfLookUp = 32

    init(_ plan: JoinPlan, _ needed: Set<Int>, _ output: any JoinOutput) {
        self.plan = plan
        self.output = output
        let entity = plan.query.entity
        width = entity.fields.count
        row = .allocate(capacity: width)
        row.initialize(repeating: .null, count: width)
        matches = plan.steps.map { RowPredicate(.all($0.match), of: entity) }
        filters = plan.steps.map { RowPredicate(.all($0.filter), of: entity) }
        var needed = needed
        for predicate in matches + filters { needed.formUnion(predicate.columns) }
        for step in plan.steps {
            for (before, own) in step.equalities { needed.formUnion([before, own]) }
        }
        columns = plan.join.parts.map { part in
            let own = part.columns.filter(needed.contains).map { $0 - part.offset }
            // Rows of no fields are still rows.
            return own.isEmpty ? [part.entity.primaryKey[0]] : own
        }
    }

    deinit {
        row.deallocate()
        clear()
    }

    /// Visits the rows, the first of them by themselves where some may be all that are wanted.
    func run(isShort: Bool) throws {
        let part = plan.join.parts[0]
        var first = RowQuery(part.entity, where: plan.filters[0])
        first.orderings =
            plan.query.orderings.allSatisfy {
                $0.isOwnField && part.columns ~= $0.column
            } ? plan.query.orderings : []
        let limit = isShort ? Self.fewRows : try fewRows()
        first.limit = limit
        let few = RowBuffer(part.entity, columns: columns[0])
        try plan.reader.select(columns[0], of: first) {
            few.append(copying: $0)
            return true
        }
        if few.count < limit || isShort {
            if few.count == 0 { return }
            try load(belongingTo: few)
            let wantsMore = try few.withBatch { try visit($0) }
            if !wantsMore || few.count < limit { return try check() }
            first.offset = few.count
        }
        first.limit = nil
        if try loadAll() {
            try plan.reader.select(columns[0], of: first) { try visit($0) }
        } else {
            try runInChunks(first)
        }
        try check()
    }

    /// Returns how many rows of the first part are few beside those of the others, so that what belongs to them is looked
    /// up.
    private func fewRows() throws -> Int {
        var most = 0
        for part in plan.join.parts.dropFirst() {
            most = max(most, try plan.reader.rowCount(of: part.entity) ?? 0)
        }
        return min(max(Self.fewRows, most / Self.costOfLookUp), Self.mostOfFew)
    }

    /// Visits the rows of the first part in chunks, for each of which the others are loaded as far as they belong to it.
    private func runInChunks(_ first: RowQuery) throws {
        var first = first
        while true {
            let chunk = RowBuffer(first.entity, columns: columns[0])
            var size = 0
            try plan.reader.select(columns[0], of: first) { batch in
                for row in 0..<batch.count where size <= plan.memory.chunk {
                    let slots = batch.slots + row * batch.columnCount
                    size += JoinMemory.size(of: slots, batch.columnCount)
                    chunk.append(copying: slots)
                }
                return size <= plan.memory.chunk
            }
            if chunk.count == 0 { return }
            clear()
            plan.memory.take(size)
            defer { plan.memory.giveBack(size) }
            try load(belongingTo: chunk)
            guard try chunk.withBatch({ try visit($0) }), size > plan.memory.chunk else { return }
            first.offset += chunk.count
        }
    }

    private func check() throws {
        for predicate in matches + filters { try predicate.check() }
    }

    /// Puts rows together with those of the first part, and returns false once no more are wanted.
    private func visit(_ batch: RowBatch) throws -> Bool {
        for index in 0..<batch.count {
            set(batch.slots + index * batch.columnCount, of: 0)
            if filters[0].matches(SlotRow(row)), try !extend(1) { return false }
        }
        // What the rows borrow is gone with the batch.
        return try output.endBatch()
    }

    private func set(_ slots: UnsafePointer<Slot>, of part: Int) {
        let target = row + plan.join.parts[part].offset
        for (place, column) in columns[part].enumerated() { target[column] = slots[place] }
    }

    /// Adds the rows of a part and of those that follow, and returns false once no more are wanted.
    private func extend(_ part: Int) throws -> Bool {
        if part == plan.join.parts.count { return try output.add(row) }
        let isMatched: Bool?
        if let table = tables[part - 1] {
            isMatched = try extend(part, table)
        } else {
            isMatched = try extendReading(part)
        }
        guard let isMatched else { return false }
        guard !isMatched, plan.join.parts[part].isOptional else { return true }
        let target = row + plan.join.parts[part].offset
        for column in columns[part] { target[column] = .null }
        return try !filters[part].matches(SlotRow(row)) || extend(part + 1)
    }

    /// Adds the rows of a table and of the parts that follow, and returns whether there were any; nil once no more are
    /// wanted.
    private func extend(_ part: Int, _ table: JoinTable) throws -> Bool? {
        let equalities = plan.steps[part].equalities
        var next: Int?
        if equalities.isEmpty {
            next = table.rows.count > 0 ? 0 : nil
        } else {
            for (index, equality) in equalities.enumerated() {
                table.probe[index] = row[equality.before]
            }
            next = table.first()
        }
        var isMatched = false
        while let candidate = next {
            set(table.rows.batch.slots + candidate * columns[part].count, of: part)
            if matches[part].matches(SlotRow(row)) {
                isMatched = true
                if filters[part].matches(SlotRow(row)), try !extend(part + 1) { return nil }
            }
            next =
                equalities.isEmpty
                ? (candidate + 1 < table.rows.count ? candidate + 1 : nil) : table.next(candidate)
        }
        return isMatched
    }

    /// Reads the rows of a part that belong to those before, and adds them as those of a table.
    private func extendReading(_ part: Int) throws -> Bool? {
        let description = plan.join.parts[part]
        var query = RowQuery(description.entity, where: plan.filters[part])
        for (before, own) in plan.steps[part].equalities {
            query.condition = .conjunction(
                .comparing(column: own - description.offset, .equal, StorageValue(row[before])),
                query.condition
            )
        }
        var isMatched = false
        var wantsMore = true
        try plan.reader.select(columns[part], of: query) { batch in
            for index in 0..<batch.count {
                set(batch.slots + index * batch.columnCount, of: part)
                guard matches[part].matches(SlotRow(row)) else { continue }
                isMatched = true
                if filters[part].matches(SlotRow(row)), try !extend(part + 1) {
                    wantsMore = false
                    return false
                }
            }
            // What the rows borrow is gone with the batch.
            wantsMore = try output.endBatch()
            return wantsMore
        }
        return wantsMore ? isMatched : nil
    }
}
