/// One run of a plan: the rows of the parts that are loaded, and the row that is being put together.
final class JoinRun {
    private let plan: JoinPlan
    private let output: any JoinOutput
    /// The fields of each part that are looked at, as positions of its entity.
    private let columns: [[Int]]
    /// The fields of the joined row, of which those that are looked at are set.
    private let row: UnsafeMutablePointer<Slot>
    private let width: Int
    private var tables: [JoinTable] = []
    private let matches: [RowPredicate]
    private let filters: [RowPredicate]

    /// So many rows of the first part are few.
    private static let fewRows = 256

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
    }

    /// Visits the rows, the first of them by themselves where some may be all that are wanted.
    func run(isShort: Bool) throws {
        let part = plan.join.parts[0]
        var first = RowQuery(part.entity, where: plan.filters[0])
        first.orderings =
            plan.query.orderings.allSatisfy {
                $0.isOwnField && part.columns ~= $0.column
            } ? plan.query.orderings : []
        first.limit = Self.fewRows
        let few = RowBuffer(part.entity, columns: columns[0])
        try plan.reader.select(columns[0], of: first) {
            few.append(copying: $0)
            return true
        }
        if few.count < Self.fewRows || isShort {
            if few.count == 0 { return }
            try load(belongingTo: few)
            let wantsMore = try few.withBatch { try visit($0) }
            if !wantsMore || few.count < Self.fewRows { return try check() }
            first.offset = few.count
        }
        first.limit = nil
        try load(belongingTo: nil)
        try plan.reader.select(columns[0], of: first) { try visit($0) }
        try check()
    }

    private func check() throws {
        for predicate in matches + filters { try predicate.check() }
    }

    /// Loads the rows of the parts behind the first, those that may belong to some rows of it or all.
    private func load(belongingTo few: RowBuffer?) throws {
        tables = []
        var buffers = few.map { [$0] }
        for index in plan.join.parts.indices.dropFirst() {
            let part = plan.join.parts[index]
            var query = RowQuery(part.entity, where: plan.filters[index])
            if let buffers {
                for (before, own) in plan.steps[index].equalities {
                    let source = plan.join.part(of: before)
                    let place = before - plan.join.parts[source].offset
                    guard var values = buffers[source].values(of: place) else { continue }
                    // Where nothing belongs to the rows before, the field is nil, as one of this part may be.
                    if plan.join.parts[source].isOptional,
                        part.entity.fields[own - part.offset].isOptional,
                        !values.contains(.null)
                    {
                        values.append(.null)
                    }
                    query.condition = .conjunction(
                        .member(column: own - part.offset, of: values),
                        query.condition
                    )
                }
            }
            let rows = RowBuffer(part.entity, columns: columns[index])
            try plan.reader.select(columns[index], of: query) {
                rows.append(copying: $0)
                return true
            }
            buffers?.append(rows)
            tables.append(
                JoinTable(
                    rows,
                    keys: plan.steps[index].equalities.map { own in
                        columns[index].firstIndex(of: own.own - part.offset) ?? 0
                    }
                )
            )
        }
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
        let table = tables[part - 1]
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
                if filters[part].matches(SlotRow(row)), try !extend(part + 1) { return false }
            }
            next =
                equalities.isEmpty
                ? (candidate + 1 < table.rows.count ? candidate + 1 : nil) : table.next(candidate)
        }
        guard !isMatched, plan.join.parts[part].isOptional else { return true }
        let target = row + plan.join.parts[part].offset
        for column in columns[part] { target[column] = .null }
        return try !filters[part].matches(SlotRow(row)) || extend(part + 1)
    }
}

extension RowBuffer {
    /// The different values of a field of the rows; nil where they are many.
    fileprivate func values(of column: Int) -> [StorageValue]? {
        guard let place = columns.firstIndex(of: column) else { return nil }
        return withBatch { batch in
            var values = Set<StorageValue>()
            for row in 0..<batch.count {
                values.insert(StorageValue(batch[row, place]))
                if values.count > 1_024 { return nil }
            }
            return Array(values)
        }
    }
}
