/// The rows of a join, found from the rows of its parts that come and go: confined to the hub once they are read.
///
/// A chain of nodes over weighted changes, as in DBSP (Budiu and others, "DBSP: Automatic Incremental View Maintenance for
/// Rich Query Languages", 2023). A join is linear in each of its sides: a row that comes or goes on one is put together with
/// the rows of the other, which each node keeps by the fields that must be equal. The side that a row came to has it before
/// the next one is looked at, so an entity may be on both sides, and rows of one commit may come in any order of entities.
final class KeptJoin: RowNode {
    private let parts: [RowJoin.Part]
    private let conditions: JoinConditions
    /// The fields of each part that are looked at, as positions of its entity.
    private let columns: [[Int]]
    private let nodes: [JoinNode]
    /// The fields of the joined row, of which those that are looked at are set.
    private let row: UnsafeMutablePointer<Slot>
    private let width: Int
    /// Whether a row was not where it should have been.
    private var isLost = false

    /// Creates a join without rows.
    ///
    /// - Parameters:
    ///   - join: The join, of parts of which each has an equality with those before.
    ///   - query: Its query.
    ///   - looked: The fields of the joined rows that are looked at beside those that decide what belongs together.
    init(_ join: RowJoin, _ query: RowQuery, looking looked: Set<Int>) {
        parts = join.parts
        let conditions = JoinConditions(join, query)
        self.conditions = conditions
        width = query.entity.fields.count
        row = .allocate(capacity: width)
        row.initialize(repeating: .null, count: width)
        var looked = looked.union(query.entity.primaryKey)
        let predicates = conditions.steps.map {
            (
                match: RowPredicate(.all($0.match), of: query.entity),
                filter: RowPredicate(.all($0.filter), of: query.entity)
            )
        }
        for predicate in predicates {
            looked.formUnion(predicate.match.columns)
            looked.formUnion(predicate.filter.columns)
        }
        for step in conditions.steps {
            for (before, own) in step.equalities { looked.formUnion([before, own]) }
        }
        columns = join.parts.map { part in
            part.columns.filter(looked.contains).map { $0 - part.offset }
        }
        nodes = join.parts.indices.dropFirst().map { index in
            let part = join.parts[index]
            let before = looked.filter { $0 < part.offset }.sorted()
            return JoinNode(
                conditions.steps[index].equalities,
                match: predicates[index].match,
                filter: predicates[index].filter,
                isOptional: part.isOptional,
                left: (before, query.entity.primaryKey.filter { $0 < part.offset }),
                right: (
                    part.columns.filter(looked.contains),
                    part.entity.primaryKey.map { $0 + part.offset }
                )
            )
        }
    }

    deinit {
        row.deallocate()
    }

    /// Reads the rows of all parts, and passes on the joined ones.
    override func read(in reader: any EngineReader, _ output: Output) throws {
        // While nothing is on the left, what comes on the right is put together with nothing.
        for index in parts.indices.reversed() {
            let query = RowQuery(parts[index].entity, where: conditions.filters[index])
            try reader.select(columns[index], of: query) { batch in
                for position in 0..<batch.count {
                    let target = row + parts[index].offset
                    for (place, column) in columns[index].enumerated() {
                        target[column] = batch[position, place]
                    }
                    change(index, 1, output)
                }
                return true
            }
        }
    }

    /// Takes a row of a part as it was and as it is, and passes on the joined rows that go and that come.
    ///
    /// - Returns: Whether the row was where it should have been.
    override func take(
        before: RowBatch?,
        after: RowBatch?,
        of part: Int,
        _ output: Output
    ) -> Bool {
        if let before, let after, before.isSame(after, in: columns[part]) { return true }
        for (batch, weight) in [(before, -1), (after, 1)] {
            guard let batch else { continue }
            let target = row + parts[part].offset
            for column in columns[part] { target[column] = batch.slots[column] }
            change(part, weight, output)
        }
        return !isLost
    }

    /// Passes on what a row of a part is put together to, which is set.
    private func change(_ part: Int, _ weight: Int, _ output: Output) {
        if part == 0 { return extend(1, weight, output) }
        let node = nodes[part - 1]
        guard let own = node.changeRight(row, weight) else {
            isLost = true
            return
        }
        for left in node.lefts.rows(with: node.rightKey(row)) {
            left.copy(to: row, node.leftColumns)
            own.copy(to: row, node.rightColumns)
            guard node.match.matches(SlotRow(row)) else { continue }
            left.matches += weight
            // The row is no longer, or is again, one to which nothing belongs.
            let isAlone = node.isOptional && left.matches == (weight > 0 ? 1 : 0)
            if node.filter.matches(SlotRow(row)) { extend(part + 1, weight, output) }
            guard isAlone else { continue }
            left.copy(to: row, node.leftColumns)
            for column in node.rightColumns { row[column] = .null }
            if node.filter.matches(SlotRow(row)) { extend(part + 1, -weight, output) }
        }
    }

    /// Puts the rows of a part and of those that follow to what is put together so far.
    private func extend(_ part: Int, _ weight: Int, _ output: Output) {
        if part == parts.count { return output(row, weight) }
        let node = nodes[part - 1]
        guard let left = node.changeLeft(row, weight) else {
            isLost = true
            return
        }
        var matches = 0
        for right in node.rights.rows(with: node.leftKey(row)) {
            right.copy(to: row, node.rightColumns)
            guard node.match.matches(SlotRow(row)) else { continue }
            matches += 1
            if node.filter.matches(SlotRow(row)) { extend(part + 1, weight, output) }
        }
        left.matches = matches
        guard matches == 0, node.isOptional else { return }
        for column in node.rightColumns { row[column] = .null }
        if node.filter.matches(SlotRow(row)) { extend(part + 1, weight, output) }
    }
}

/// What a join keeps of the rows before a part, and of the part's.
private final class JoinNode {
    let match: RowPredicate
    let filter: RowPredicate
    let isOptional: Bool
    /// The fields that are kept of the rows before, and of the part's, as positions of the joined row.
    let leftColumns: [Int]
    let rightColumns: [Int]
    private(set) var lefts = JoinIndex()
    private(set) var rights = JoinIndex()
    private let leftKeys: [Int]
    private let rightKeys: [Int]
    private let leftIdentity: [Int]
    private let rightIdentity: [Int]

    init(
        _ equalities: [(before: Int, own: Int)],
        match: RowPredicate,
        filter: RowPredicate,
        isOptional: Bool,
        left: (columns: [Int], identity: [Int]),
        right: (columns: [Int], identity: [Int])
    ) {
        self.match = match
        self.filter = filter
        self.isOptional = isOptional
        leftKeys = equalities.map(\.before)
        rightKeys = equalities.map(\.own)
        (leftColumns, leftIdentity) = left
        (rightColumns, rightIdentity) = right
    }

    func leftKey(_ row: UnsafePointer<Slot>) -> FieldsKey { FieldsKey(row, leftKeys) }

    func rightKey(_ row: UnsafePointer<Slot>) -> FieldsKey { FieldsKey(row, rightKeys) }

    /// Adds what was put together before the part, or takes it away, and returns what is kept of it.
    func changeLeft(_ row: UnsafePointer<Slot>, _ weight: Int) -> JoinedRow? {
        Self.change(&lefts, row, weight, leftColumns, FieldsKey(row, leftIdentity), leftKey(row))
    }

    /// Adds a row of the part, or takes it away, and returns what is kept of it.
    func changeRight(_ row: UnsafePointer<Slot>, _ weight: Int) -> JoinedRow? {
        Self.change(
            &rights,
            row,
            weight,
            rightColumns,
            FieldsKey(row, rightIdentity),
            rightKey(row)
        )
    }

    private static func change(
        _ index: inout JoinIndex,
        _ row: UnsafePointer<Slot>,
        _ weight: Int,
        _ columns: [Int],
        _ identity: FieldsKey,
        _ key: FieldsKey
    ) -> JoinedRow? {
        if weight < 0 { return index.remove(identity, key: key) }
        let new = JoinedRow(row, columns)
        return index.add(new, identity, key: key) ? new : nil
    }
}
