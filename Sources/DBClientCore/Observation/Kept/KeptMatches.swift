/// The rows of an entity to which rows of others belong, or none, or so many, found from the rows of all that come and go:
/// confined to the hub once they are read.
///
/// Of each other entity the number of its rows is kept by the fields in which they match. Where a row that comes or goes
/// decides, the rows that it matches come or go. A semijoin in terms of DBSP: the join of the rows with the different keys of
/// the others.
final class KeptMatches: RowNode {
    /// The rows of another entity.
    private final class Side {
        let match: MatchConditions.Match
        /// How many rows have a key.
        var counts: [FieldsKey: Int] = [:]
        /// The rows to which they may belong.
        var owners = JoinIndex()

        init(_ match: MatchConditions.Match) {
            self.match = match
        }

        func holds(for row: UnsafePointer<Slot>) -> Bool {
            // A null equals nothing, so no key has one.
            match.holds(for: counts[FieldsKey(row, match.rows.matching)] ?? 0)
        }
    }

    private let entity: EntitySchema
    private let condition: RowCondition
    private let sides: [Side]
    /// The fields that are kept of the rows.
    private let columns: [Int]
    private let row: UnsafeMutablePointer<Slot>
    /// Whether a row was not where it should have been.
    private var isLost = false

    init(_ conditions: MatchConditions, _ entity: EntitySchema, looking looked: Set<Int>) {
        self.entity = entity
        condition = conditions.own
        sides = conditions.matches.map(Side.init)
        columns = conditions.matches.reduce(looked.union(entity.primaryKey)) {
            $0.union($1.rows.matching)
        }.sorted()
        row = .allocate(capacity: entity.fields.count)
        row.initialize(repeating: .null, count: entity.fields.count)
    }

    deinit {
        row.deallocate()
    }

    override func read(in reader: any EngineReader, _ output: Output) throws {
        for side in sides {
            let rows = side.match.rows
            try reader.select(rows.columns, of: RowQuery(rows.entity, where: rows.condition)) {
                batch in
                for index in 0..<batch.count {
                    let slots = batch.slots + index * batch.columnCount
                    let places = Array(rows.columns.indices)
                    if places.contains(where: { slots[$0].isNull }) { continue }
                    side.counts[FieldsKey(slots, places), default: 0] += 1
                }
                return true
            }
        }
        try reader.select(columns, of: RowQuery(entity, where: condition)) { batch in
            for index in 0..<batch.count {
                for (place, column) in columns.enumerated() { row[column] = batch[index, place] }
                change(1, output)
            }
            return true
        }
    }

    override func take(
        before: RowBatch?,
        after: RowBatch?,
        of input: Int,
        _ output: Output
    ) -> Bool {
        if input > 0 {
            take(before: before, after: after, sides[input - 1], output)
        } else if let before, let after, before.isSame(after, in: columns) {
            return true
        } else {
            for (batch, weight) in [(before, -1), (after, 1)] {
                guard let batch else { continue }
                for column in columns { row[column] = batch.slots[column] }
                change(weight, output)
            }
        }
        return !isLost
    }

    /// Adds the row that is set, or takes it away.
    private func change(_ weight: Int, _ output: Output) {
        let identity = FieldsKey(row, entity.primaryKey)
        var isWanted = true
        for side in sides {
            let key = FieldsKey(row, side.match.rows.matching)
            let isThere =
                weight > 0
                ? side.owners.add(JoinedRow(row, columns), identity, key: key)
                : side.owners.remove(identity, key: key) != nil
            if !isThere { isLost = true }
            isWanted = isWanted && side.holds(for: row)
        }
        if isWanted { output(row, weight) }
    }

    /// Takes a row of another entity, and passes on the rows for which it decides.
    private func take(
        before: RowBatch?,
        after: RowBatch?,
        _ side: Side,
        _ output: Output
    ) {
        let old = before.flatMap { key(of: $0, side.match.rows.columns) }
        let new = after.flatMap { key(of: $0, side.match.rows.columns) }
        if old == new { return }
        for (key, weight) in [(old, -1), (new, 1)] {
            guard let key else { continue }
            let count = side.counts[key] ?? 0
            side.counts[key] = count + weight == 0 ? nil : count + weight
            if count + weight < 0 { isLost = true }
            let isWanted = side.match.holds(for: count + weight)
            guard isWanted != side.match.holds(for: count) else { continue }
            for owner in side.owners.rows(with: key) {
                owner.copy(to: row, columns)
                if sides.allSatisfy({ $0 === side || $0.holds(for: row) }) {
                    output(row, isWanted ? 1 : -1)
                }
            }
        }
    }

    private func key(of batch: RowBatch, _ columns: [Int]) -> FieldsKey? {
        columns.contains { batch.slots[$0].isNull } ? nil : FieldsKey(batch.slots, columns)
    }
}
