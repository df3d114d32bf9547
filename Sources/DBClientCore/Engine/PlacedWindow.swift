/// A window function, with the places of its fields in the rows.
struct PlacedWindow {
    let function: RowWindow.Function
    /// What the function is over, and where it is; nil for one of the rows alone.
    let operand: (field: FieldSchema, place: Int)?
    /// The rows that are equal here belong together.
    let partition: [Int]
    let orderings: [(ordering: RowOrdering, place: Int)]

    /// Returns what each row gets; text and data are the rows' own or `bytes` keeps them.
    func values(of batch: RowBatch, _ bytes: RowBuffer, _ entity: EntitySchema) throws -> [Slot] {
        var values = [Slot](repeating: .null, count: batch.count)
        let comparator = RowComparator(orderings.map(\.ordering))
        /// Returns the order of two rows in the sort of the window.
        func compare(_ left: Int, _ right: Int) -> Int {
            for (index, (_, place)) in orderings.enumerated() {
                let order = comparator.compare(batch[left, place], batch[right, place], by: index)
                if order != 0 { return order }
            }
            return 0
        }
        for part in parts(of: batch, entity) {
            let sorted =
                orderings.isEmpty
                ? part
                : part.sorted {
                    let order = compare($0, $1)
                    return order == 0 ? $0 < $1 : order < 0
                }
            try fill(&values, sorted, batch, bytes, entity) { compare($0, $1) == 0 }
        }
        return values
    }

    /// Returns the rows that belong together, each part in the order of the rows.
    private func parts(of batch: RowBatch, _ entity: EntitySchema) -> [[Int]] {
        if partition.isEmpty { return [Array(0..<batch.count)] }
        let table = GroupTable(entity, partition)
        var parts: [[Int]] = []
        for row in 0..<batch.count {
            let part = table.find(batch.slots + row * batch.columnCount)
            if part == parts.count { parts.append([]) }
            parts[part].append(row)
        }
        return parts
    }

    private func fill(
        _ values: inout [Slot],
        _ rows: [Int],
        _ batch: RowBatch,
        _ bytes: RowBuffer,
        _ entity: EntitySchema,
        areEqual: (Int, Int) -> Bool
    ) throws {
        func operand(_ position: Int) -> Slot {
            guard let place = self.operand?.place, rows.indices.contains(position) else {
                return .null
            }
            return batch[rows[position], place]
        }
        switch function {
        case .rowNumber:
            for (position, row) in rows.enumerated() { values[row] = .integer(Int64(position + 1)) }
        case .rank, .denseRank:
            var rank = 0
            for (position, row) in rows.enumerated() {
                if position == 0 || !areEqual(rows[position - 1], row) {
                    rank = function == .rank ? position + 1 : rank + 1
                }
                values[row] = .integer(Int64(rank))
            }
        case .before(let distance):
            for (position, row) in rows.enumerated() {
                let (place, hasOverflown) = position.subtractingReportingOverflow(distance)
                values[row] = hasOverflown ? .null : operand(place)
            }
        case .end(let isFirst):
            for row in rows { values[row] = operand(isFirst ? 0 : rows.count - 1) }
        case .count:
            for (position, row) in rows.enumerated() {
                let count = orderings.isEmpty ? rows.count : position + 1
                values[row] = .integer(Int64(count))
            }
        case .aggregate(let aggregate):
            let holding = EntitySchema(
                holding: self.operand.map { [$0.field] } ?? [],
                of: entity
            )
            var total = FieldAggregate(aggregate)
            if orderings.isEmpty {
                for position in rows.indices { total.add(operand(position)) }
                let value = try value(of: total, holding, entity).slot(in: bytes)
                for row in rows { values[row] = value }
            } else {
                for (position, row) in rows.enumerated() {
                    total.add(operand(position))
                    values[row] = try value(of: total, holding, entity).slot(in: bytes)
                }
            }
        case .share:
            var total = FieldAggregate(.sum)
            for position in rows.indices { total.add(operand(position)) }
            for (position, row) in rows.enumerated() {
                var own = FieldAggregate(.sum)
                own.add(operand(position))
                values[row] = own.divided(by: total).map { .real($0) } ?? .null
            }
        }
    }

    /// Returns what a function comes to: a sum of none is zero, one of floats a float, and one that leaves the range of its
    /// field an error.
    private func value(
        of total: FieldAggregate,
        _ holding: EntitySchema,
        _ entity: EntitySchema
    ) throws -> StorageValue {
        let field = holding.fields[0]
        let value = try total.result(holding, 0)
        guard function == .aggregate(.sum) else { return value }
        switch value {
        case .null: return .zero(of: field.type)
        case .integer(let sum):
            if let bounds = field.type.bounds, !bounds.contains(sum) { break }
            return value
        case .real(let sum) where field.type == .float:
            if Float(sum).isInfinite && sum.isFinite { break }
            return .real(Double(Float(sum)))
        default: return value
        }
        throw DBClientError.sumOutOfRange(entity, field)
    }
}
