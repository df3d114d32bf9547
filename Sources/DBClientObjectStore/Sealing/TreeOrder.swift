import CLMDB
import Foundation

/// How the entries of a sealed tree are ordered, which the flags of LMDB's tables say.
struct TreeOrder {
    let hasIntegerKeys: Bool
    let hasSeveralValues: Bool
    let hasIntegerValues: Bool

    init(_ flags: UInt32) {
        hasIntegerKeys = flags & UInt32(MDB_INTEGERKEY) != 0
        hasSeveralValues = flags & UInt32(MDB_DUPSORT) != 0
        hasIntegerValues = flags & UInt32(MDB_INTEGERDUP) != 0
    }

    @inline(__always)
    static func compare(_ left: MDB_val, _ right: MDB_val, areIntegers: Bool) -> Int {
        guard let first = left.mv_data, let second = right.mv_data else {
            return left.mv_size - right.mv_size
        }
        if areIntegers, left.mv_size == 8, right.mv_size == 8 {
            let (left, right) = (
                first.loadUnaligned(as: UInt64.self), second.loadUnaligned(as: UInt64.self)
            )
            return left < right ? -1 : left == right ? 0 : 1
        }
        let order = Int(memcmp(first, second, min(left.mv_size, right.mv_size)))
        return order != 0 ? order : left.mv_size - right.mv_size
    }
}

/// What is looked for in a tree: an entry, or where the entries of a key begin or end.
struct TreeProbe {
    var key: MDB_val
    var value = MDB_val()
    /// Before every value of the key, at the value, or after every value.
    var side = Side.value

    enum Side {
        case before
        case value
        case after
    }
}

extension SealedPage {
    /// Compares an entry with what is looked for.
    @inline(__always)
    func compare(_ index: Int, _ probe: TreeProbe, _ order: TreeOrder) -> Int {
        let result = TreeOrder.compare(
            key(index),
            probe.key,
            areIntegers: order.hasIntegerKeys
        )
        if result != 0 { return result }
        switch probe.side {
        case .before: return 1
        case .after: return -1
        case .value:
            guard order.hasSeveralValues else { return 0 }
            return TreeOrder.compare(
                value(index),
                probe.value,
                areIntegers: order.hasIntegerValues
            )
        }
    }

    /// Returns the first entry that is not less than what is looked for, and whether it is that.
    @inline(__always)
    func lowerBound(_ probe: TreeProbe, _ order: TreeOrder) -> (index: Int, isEqual: Bool) {
        var low = 0
        var high = count
        var isEqual = false
        while low < high {
            let middle = (low + high) >> 1
            let result = compare(middle, probe, order)
            if result < 0 {
                low = middle + 1
            } else {
                high = middle
                if result == 0 { isEqual = true }
            }
        }
        return (low, isEqual)
    }

    /// Returns the entry of a branch below which something is to be found: the first one's key stands for all that is
    /// less.
    @inline(__always)
    func childIndex(_ probe: TreeProbe, _ order: TreeOrder) -> Int {
        var low = 1
        var high = count
        while low < high {
            let middle = (low + high) >> 1
            if compare(middle, probe, order) <= 0 { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }
}
