/// The keys of groups, found by their bits and bytes.
///
/// Its state is touched for every row, by one thread, so it is in plain memory.
final class GroupTable {
    private let width: Int
    /// Where the keys are in a row.
    private let positions: UnsafeMutablePointer<Int>
    private let arena: RowBuffer
    private let seed = UInt64.random(in: .min ... .max)
    /// The number of different groups so far, which is the position of the next.
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var capacity = 64
    @exclusivity(unchecked) private var keys: UnsafeMutablePointer<Slot>
    @exclusivity(unchecked) private var hashes: UnsafeMutablePointer<UInt64>
    /// Groups by their hash, one more than their number; 0 where there is none.
    ///
    /// Twice as many as there is room for groups, a power of two.
    @exclusivity(unchecked) private var places: UnsafeMutablePointer<UInt32>

    init(_ entity: EntitySchema, _ positions: [Int]) {
        width = positions.count
        self.positions = .allocate(capacity: max(width, 1))
        self.positions.initialize(from: positions, count: width)
        arena = RowBuffer(entity, columns: [])
        keys = .allocate(capacity: capacity * max(width, 1))
        hashes = .allocate(capacity: capacity)
        places = .allocate(capacity: capacity * 2)
        places.initialize(repeating: 0, count: capacity * 2)
    }

    deinit {
        positions.deallocate()
        keys.deallocate()
        hashes.deallocate()
        places.deallocate()
    }

    /// Returns the group of a row, a new one for new keys.
    @inline(__always)
    func find(_ row: UnsafePointer<Slot>) -> Int {
        var hash = seed
        for index in 0..<width { hash = Self.mix(row[positions[index]], into: hash) }
        let mask = capacity * 2 - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place] != 0 {
            let group = Int(places[place]) - 1
            if hashes[group] == hash, holds(group, row) { return group }
            place = (place + 1) & mask
        }
        return insert(row, hash, at: place)
    }

    /// Returns the group of a row, or nil where its keys are new.
    @inline(__always)
    func position(of row: UnsafePointer<Slot>) -> Int? {
        var hash = seed
        for index in 0..<width { hash = Self.mix(row[positions[index]], into: hash) }
        let mask = capacity * 2 - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place] != 0 {
            let group = Int(places[place]) - 1
            if hashes[group] == hash, holds(group, row) { return group }
            place = (place + 1) & mask
        }
        return nil
    }

    @inline(__always)
    private func holds(_ group: Int, _ row: UnsafePointer<Slot>) -> Bool {
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

    @inline(never)
    private func insert(_ row: UnsafePointer<Slot>, _ hash: UInt64, at place: Int) -> Int {
        let group = count
        hashes[group] = hash
        for index in 0..<width {
            let slot = row[positions[index]]
            let kept: Slot =
                switch slot.kind {
                case .text: .text(arena.copy(slot.bytes))
                case .data: .data(arena.copy(slot.bytes))
                default: slot
                }
            (keys + (group * width + index)).initialize(to: kept)
        }
        places[place] = UInt32(group + 1)
        count += 1
        if count == capacity { grow() }
        return group
    }

    private func grow() {
        let larger = capacity * 4
        let movedKeys = UnsafeMutablePointer<Slot>.allocate(capacity: larger * max(width, 1))
        movedKeys.update(from: keys, count: count * width)
        keys.deallocate()
        keys = movedKeys
        let movedHashes = UnsafeMutablePointer<UInt64>.allocate(capacity: larger)
        movedHashes.update(from: hashes, count: count)
        hashes.deallocate()
        hashes = movedHashes
        places.deallocate()
        places = .allocate(capacity: larger * 2)
        places.initialize(repeating: 0, count: larger * 2)
        capacity = larger
        for group in 0..<count {
            var place = Int(truncatingIfNeeded: hashes[group]) & (capacity * 2 - 1)
            while places[place] != 0 { place = (place + 1) & (capacity * 2 - 1) }
            places[place] = UInt32(group + 1)
        }
    }

    func key(_ group: Int, _ index: Int) -> Slot { keys[group * width + index] }

    /// The groups, ascending by their keys.
    var sorted: [Int] {
        (0..<count).sorted { left, right in
            for index in 0..<width {
                let order = Slot.compare(key(left, index), key(right, index))
                if order != 0 { return order < 0 }
            }
            return false
        }
    }

    @inline(__always)
    private static func mix(_ slot: Slot, into hash: UInt64) -> UInt64 {
        switch slot.kind {
        case .text, .data:
            var hash = mix(hash ^ UInt64(slot.length))
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
        // Nil has no bits and zero none either: what differs beside is found when keys are compared.
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
