/// A window function, with the places of its fields in the rows.
struct PlacedWindow {
    let function: RowWindow.Function
    /// What the function is over, and where it is; nil for one of the rows alone.
    let operand: (field: FieldSchema, place: Int)?
    /// The rows that are equal here belong together.
    let partition: [Int]
    let orderings: [(ordering: RowOrdering, place: Int)]

    /// Whether the function is a place in the sort, which depends on the rows before alone.
    var isPlace: Bool {
        switch function {
        case .rowNumber, .rank, .denseRank: true
        default: false
        }
    }

    /// Computes what the rows of one partition get, which are in the order of the window.
    ///
    /// - Parameters:
    ///   - count: How many rows there are.
    ///   - entity: The entity that has the fields.
    ///   - bytes: Keeps text and data of what is computed.
    ///   - operand: Returns what the function is over in the row at a position.
    ///   - areEqual: Whether the rows at two positions are alike in the sort.
    ///   - put: Takes what the row at a position gets.
    /// - Throws: `.invalidValue` when a sum leaves its range.
    func compute(
        _ count: Int,
        of entity: EntitySchema,
        _ bytes: RowBuffer,
        operand: (Int) -> Slot,
        areEqual: (Int, Int) -> Bool,
        put: (Int, Slot) -> Void
    ) throws {
        func present(_ position: Int) -> Slot {
            self.operand != nil && 0 <= position && position < count ? operand(position) : .null
        }
        switch function {
        case .rowNumber:
            for position in 0..<count { put(position, .integer(Int64(position + 1))) }
        case .rank, .denseRank:
            var rank = 0
            for position in 0..<count {
                if position == 0 || !areEqual(position - 1, position) {
                    rank = function == .rank ? position + 1 : rank + 1
                }
                put(position, .integer(Int64(rank)))
            }
        case .before(let distance):
            for position in 0..<count {
                let (place, hasOverflown) = position.subtractingReportingOverflow(distance)
                put(position, hasOverflown ? .null : present(place))
            }
        case .end(let isFirst):
            for position in 0..<count { put(position, present(isFirst ? 0 : count - 1)) }
        case .count:
            for position in 0..<count {
                put(position, .integer(Int64(orderings.isEmpty ? count : position + 1)))
            }
        case .aggregate(let aggregate):
            let holding = EntitySchema(
                holding: self.operand.map { [$0.field] } ?? [],
                of: entity
            )
            var total = FieldAggregate(aggregate)
            if orderings.isEmpty {
                for position in 0..<count { total.add(present(position)) }
                let value = try value(of: total, holding, entity).slot(in: bytes)
                for position in 0..<count { put(position, value) }
            } else {
                for position in 0..<count {
                    total.add(present(position))
                    put(position, try value(of: total, holding, entity).slot(in: bytes))
                }
            }
        case .share:
            var total = FieldAggregate(.sum)
            for position in 0..<count { total.add(present(position)) }
            for position in 0..<count {
                var own = FieldAggregate(.sum)
                own.add(present(position))
                put(position, own.divided(by: total).map { .real($0) } ?? .null)
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
