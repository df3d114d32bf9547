/// Puts rows together by the values of their keys and computes what is told of each group, over slots:
/// no model and, but for the first row of a group, no copy.
public struct RowGrouper {
    private let grouping: RowGrouping
    private let terms: [RowGrouping.Term]
    /// Where the keys are in a row, and the field of each term; -1 for a count.
    private let keyPositions: [Int]
    private let termPositions: [Int]
    /// Looks up the keys that are not the rows' own; nil where all are.
    private let relatedKeys: RelatedKeys?
    private var table: GroupTable
    private var totals: [GroupTotal] = []

    /// Creates a grouper of rows that carry the fields at some positions; `reader` looks up the keys that
    /// are not their own.
    public init(_ grouping: RowGrouping, over columns: [Int], in reader: some EngineReader) {
        self.grouping = grouping
        terms = grouping.allTerms
        func position(of column: Int) -> Int { columns.firstIndex(of: column) ?? 0 }
        relatedKeys =
            grouping.reachesRelatedRows
            ? RelatedKeys(grouping.keys, over: columns, in: reader) : nil
        keyPositions =
            relatedKeys == nil
            ? grouping.keys.map { position(of: $0.column) } : Array(grouping.keys.indices)
        termPositions = terms.map { term in
            if case .function(_, let column) = term { position(of: column) } else { -1 }
        }
        table = GroupTable(grouping.query.entity, width: grouping.keys.count)
    }

    /// Takes rows in.
    public mutating func add(_ batch: RowBatch) throws {
        for row in 0..<batch.count {
            let slots = batch.slots + row * batch.columnCount
            let group = table.find(try relatedKeys?.keys(of: slots) ?? slots, keyPositions)
            if group * terms.count == totals.count {
                for term in terms { totals.append(GroupTotal(term)) }
            }
            for index in termPositions.indices {
                let position = termPositions[index]
                totals[group * terms.count + index]
                    .add(position < 0 ? .integer(1) : slots[position])
            }
        }
    }

    /// Calls a function with each group that fulfils the condition, ascending by its keys, absent ones
    /// first: the keys, then what is told.
    ///
    /// - Throws: `.invalidValue` when an integer sum leaves `Int64`.
    public func forEach(_ visit: (UnsafeBufferPointer<Slot>) throws -> Void) throws {
        let width = grouping.keys.count
        let arena = RowBuffer(grouping.query.entity, columns: [])
        var row: [Slot] = []
        for group in table.sorted {
            arena.removeAll()
            row.removeAll(keepingCapacity: true)
            for key in 0..<width { row.append(table.key(group, key)) }
            for (index, term) in terms.enumerated() {
                let value = try totals[group * terms.count + index].value(
                    of: term,
                    grouping.query.entity
                )
                row.append(value.slot(in: arena))
            }
            let isWanted = grouping.condition.holds { term in
                terms.firstIndex(of: term).map { row[width + $0] } ?? .null
            }
            if isWanted {
                try row.withUnsafeBufferPointer {
                    try visit(UnsafeBufferPointer(rebasing: $0[..<(width + grouping.terms.count)]))
                }
            }
        }
    }
}

/// What a term has added up in a group.
private struct GroupTotal {
    private enum Kind { case count, least, greatest, sum }

    private let kind: Kind
    private var count = 0
    private var integers: Int128 = 0
    private var reals = 0.0
    private var isReal = false
    private var best = StorageValue.null

    init(_ term: RowGrouping.Term) {
        kind =
            switch term {
            case .count: .count
            case .function(.minimum, _): .least
            case .function(.maximum, _): .greatest
            case .function: .sum
            }
    }

    mutating func add(_ slot: Slot) {
        if slot.isNull { return }
        count += 1
        switch kind {
        case .count: break
        case .sum:
            if slot.kind == .real {
                isReal = true
                reals += slot.real
            } else {
                integers += Int128(slot.integer)
            }
        case .least, .greatest:
            let order = count == 1 ? 0 : best.withSlot { Slot.compare(slot, $0) }
            if count == 1 || (kind == .least ? order < 0 : order > 0) { best = StorageValue(slot) }
        }
    }

    func value(of term: RowGrouping.Term, _ entity: EntitySchema) throws -> StorageValue {
        guard case .function(let function, let column) = term else {
            return .integer(Int64(count))
        }
        if count == 0 { return .null }
        switch function {
        case .minimum, .maximum: return best
        case .average: return .real((isReal ? reals : Double(integers)) / Double(count))
        case .sum:
            if isReal { return .real(reals) }
            guard let sum = Int64(exactly: integers) else {
                throw DBClientError(
                    .invalidValue,
                    "The sum is outside the range of 64 bits.",
                    entity: entity.name,
                    field: entity.fields[column].name
                )
            }
            return .integer(sum)
        }
    }
}

/// The keys of groups, found by their bits and bytes.
private struct GroupTable {
    private let width: Int
    private let arena: RowBuffer
    private let seed = UInt64.random(in: .min ... .max)
    private var keys: [Slot] = []
    private var hashes: [UInt64] = []
    /// Groups by their hash, one more than their number; 0 where there is none.
    ///
    /// A power of two long.
    private var places = [UInt32](repeating: 0, count: 64)

    init(_ entity: EntitySchema, width: Int) {
        self.width = width
        arena = RowBuffer(entity, columns: [])
    }

    /// Returns the group of a row, a new one for new keys.
    @inline(__always)
    mutating func find(_ row: UnsafePointer<Slot>, _ positions: [Int]) -> Int {
        var hash = seed
        for position in positions { hash = Self.mix(row[position], into: hash) }
        var place = Int(truncatingIfNeeded: hash) & (places.count - 1)
        while places[place] != 0 {
            let group = Int(places[place]) - 1
            if hashes[group] == hash, holds(group, row, positions) { return group }
            place = (place + 1) & (places.count - 1)
        }
        return insert(row, positions, hash, at: place)
    }

    @inline(__always)
    private func holds(_ group: Int, _ row: UnsafePointer<Slot>, _ positions: [Int]) -> Bool {
        for index in 0..<width {
            let left = keys[group * width + index]
            let right = row[positions[index]]
            if left.kind != right.kind || left.length != right.length { return false }
            switch left.kind {
            case .text, .data: if compareBytes(left.bytes, right.bytes) != 0 { return false }
            default: if left.bits != right.bits { return false }
            }
        }
        return true
    }

    private mutating func insert(
        _ row: UnsafePointer<Slot>,
        _ positions: [Int],
        _ hash: UInt64,
        at place: Int
    ) -> Int {
        let group = hashes.count
        hashes.append(hash)
        for position in positions {
            let slot = row[position]
            switch slot.kind {
            case .text: keys.append(.text(arena.copy(slot.bytes)))
            case .data: keys.append(.data(arena.copy(slot.bytes)))
            default: keys.append(slot)
            }
        }
        places[place] = UInt32(group + 1)
        if hashes.count * 2 > places.count { grow() }
        return group
    }

    private mutating func grow() {
        places = [UInt32](repeating: 0, count: places.count * 4)
        for (group, hash) in hashes.enumerated() {
            var place = Int(truncatingIfNeeded: hash) & (places.count - 1)
            while places[place] != 0 { place = (place + 1) & (places.count - 1) }
            places[place] = UInt32(group + 1)
        }
    }

    func key(_ group: Int, _ index: Int) -> Slot { keys[group * width + index] }

    /// The groups, ascending by their keys.
    var sorted: [Int] {
        hashes.indices.sorted { left, right in
            for index in 0..<width {
                let order = Slot.compare(key(left, index), key(right, index))
                if order != 0 { return order < 0 }
            }
            return false
        }
    }

    @inline(__always)
    private static func mix(_ slot: Slot, into hash: UInt64) -> UInt64 {
        var hash = mix(hash ^ UInt64(slot.kind.rawValue) ^ UInt64(slot.length) << 8)
        switch slot.kind {
        case .text, .data:
            let bytes = slot.bytes
            var offset = 0
            while offset + 8 <= bytes.count {
                hash = mix(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                offset += 8
            }
            var rest: UInt64 = 0
            while offset < bytes.count {
                rest = rest << 8 | UInt64(bytes[offset])
                offset += 1
            }
            return mix(hash ^ rest)
        default: return mix(hash ^ slot.bits)
        }
    }

    /// Multiplies to twice the width and folds: every bit reaches every other.
    @inline(__always)
    private static func mix(_ bits: UInt64) -> UInt64 {
        let product = bits.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}
