/// The aggregates of each group, as far as they are computed.
///
/// In plain memory, term by term: a loop over rows knows what it adds and touches nothing else.
final class GroupTotals {
    /// What a number of slots come to.
    private struct Total {
        var count = 0
        var isReal = false
        var reals = RealSum()
        var integers: Int128 = 0
    }

    private enum Kind { case count, different, least, greatest, sum, decimalSum }

    private let kinds: [Kind]
    /// Where the field of each term is in a row; -1 for a count.
    private let positions: [Int]
    /// A total for each term of each group.
    @exclusivity(unchecked) private var totals: UnsafeMutablePointer<Total>
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var capacity = 64
    /// The least or the greatest value of each term of each group, where a term asks for one.
    @exclusivity(unchecked) private var best: [StorageValue] = []
    private let hasBest: Bool
    /// The sum of each term of each group, where a term asks for one of decimals.
    @exclusivity(unchecked) private var decimals: [DecimalSum] = []
    private let hasDecimals: Bool
    /// The different values of each term of each group, where a term counts them.
    @exclusivity(unchecked) private var values: [Set<StorageValue>] = []
    private let hasValues: Bool
    /// The groups of the rows of a batch.
    @exclusivity(unchecked) private var groups: UnsafeMutablePointer<Int>
    @exclusivity(unchecked) private var groupCapacity = 64

    init(_ terms: [RowGrouping.Term], _ positions: [Int], of entity: EntitySchema) {
        kinds = terms.map { term in
            switch (term.function, term.operand) {
            case (nil, nil): .count
            case (nil, .some): .different
            case (.minimum, _): .least
            case (.maximum, _): .greatest
            case (_, let field): field?.field(of: entity).type == .decimal ? .decimalSum : .sum
            }
        }
        self.positions = positions
        hasBest = kinds.contains { $0 == .least || $0 == .greatest }
        hasDecimals = kinds.contains(.decimalSum)
        hasValues = kinds.contains(.different)
        totals = .allocate(capacity: capacity * max(kinds.count, 1))
        groups = .allocate(capacity: groupCapacity)
    }

    deinit {
        totals.deinitialize(count: count * kinds.count)
        totals.deallocate()
        groups.deallocate()
    }

    /// Returns memory for the groups of a number of rows, which is used again for the next batch.
    func groups(of count: Int) -> UnsafeMutablePointer<Int> {
        if count > groupCapacity {
            groups.deallocate()
            groupCapacity = count
            groups = .allocate(capacity: count)
        }
        return groups
    }

    /// Makes totals for as many groups as there are now.
    func reserve(_ groupCount: Int) {
        guard groupCount > count else { return }
        let width = kinds.count
        if groupCount > capacity {
            let larger = max(capacity * 4, groupCount)
            let moved = UnsafeMutablePointer<Total>.allocate(capacity: larger * max(width, 1))
            moved.moveInitialize(from: totals, count: count * width)
            totals.deallocate()
            totals = moved
            capacity = larger
        }
        (totals + count * width).initialize(repeating: Total(), count: (groupCount - count) * width)
        count = groupCount
        while hasBest, best.count < groupCount * width { best.append(.null) }
        while hasValues, values.count < groupCount * width { values.append([]) }
        while hasDecimals, decimals.count < groupCount * width { decimals.append(DecimalSum()) }
    }

    /// Adds each row of a batch to the totals of its group, whose position `groups` has.
    func add(_ batch: RowBatch, to groups: UnsafeMutablePointer<Int>) {
        let width = kinds.count
        for (index, kind) in kinds.enumerated() {
            let totals = totals + index
            let slots = batch.slots + max(positions[index], 0)
            switch kind {
            case .count:
                for row in 0..<batch.count { totals[groups[row] * width].count += 1 }
            case .different:
                for row in 0..<batch.count {
                    let slot = slots[row * batch.columnCount]
                    if !slot.isNull {
                        values[groups[row] * width + index].insert(StorageValue(slot))
                    }
                }
            case .sum:
                for row in 0..<batch.count {
                    let slot = slots[row * batch.columnCount]
                    if slot.isNull { continue }
                    let total = totals + groups[row] * width
                    total.pointee.count += 1
                    if slot.kind == .real {
                        total.pointee.isReal = true
                        total.pointee.reals.add(slot.real)
                    } else {
                        total.pointee.integers += Int128(slot.integer)
                    }
                }
            case .decimalSum:
                for row in 0..<batch.count {
                    let slot = slots[row * batch.columnCount]
                    if slot.isNull { continue }
                    let place = groups[row] * width
                    totals[place].count += 1
                    decimals[place + index].add(slot.bytes)
                }
            case .least, .greatest:
                for row in 0..<batch.count {
                    let slot = slots[row * batch.columnCount]
                    if slot.isNull { continue }
                    let place = groups[row] * width
                    totals[place].count += 1
                    let order =
                        totals[place].count == 1
                        ? nil : best[place + index].withSlot { Slot.compare(slot, $0) }
                    if order.map({ kind == .least ? $0 < 0 : $0 > 0 }) ?? true {
                        best[place + index] = StorageValue(slot)
                    }
                }
            }
        }
    }

    /// Returns what a term comes to in a group.
    ///
    /// - Throws: `.invalidValue` when an integer sum leaves `Int64`, or one of decimals the range of `Decimal`.
    func value(
        _ group: Int,
        _ index: Int,
        of term: RowGrouping.Term,
        _ entity: EntitySchema
    ) throws -> StorageValue {
        let place = group * kinds.count + index
        let total = totals[place]
        guard let function = term.function, let column = term.operand?.column else {
            return .integer(Int64(kinds[index] == .different ? values[place].count : total.count))
        }
        if total.count == 0 { return .null }
        switch function {
        case .minimum, .maximum: return best[place]
        case _ where kinds[index] == .decimalSum && decimals[place].isDamaged:
            throw DBClientError.damagedDecimal(entity, entity.fields[column])
        case .average where kinds[index] == .decimalSum:
            return .real(decimals[place].divided(by: total.count) ?? .nan)
        case .average:
            return .real(
                total.isReal
                    ? total.reals.divided(by: total.count)
                    : Double(total.integers) / Double(total.count)
            )
        case .sum:
            if total.isReal { return .real(total.reals.value) }
            let sum =
                if kinds[index] == .decimalSum { decimals[place].value } else {
                    Int64(exactly: total.integers).map { StorageValue.integer($0) }
                }
            guard let sum else { throw DBClientError.sumOutOfRange(entity, entity.fields[column]) }
            return sum
        }
    }
}
