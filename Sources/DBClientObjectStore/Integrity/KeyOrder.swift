import CLMDB

/// Checks that what is met in a table comes in the order in which LMDB looks for it.
struct KeyOrder {
    private let hasIntegerKeys: Bool
    private let hasSeveralValues: Bool
    private let hasIntegerValues: Bool
    // What was met last, in memory that is used again for the next: its key, its value where the key has several, and
    // whether it was a bound.
    private var lastKey: [UInt8] = []
    private var lastValue: [UInt8] = []
    private var hasLast = false
    private var hasLastValue = false
    private var isLastBound = false

    /// Creates the order of a table with these flags.
    init(_ flags: Int32) {
        hasIntegerKeys = flags & MDB_INTEGERKEY != 0
        hasSeveralValues = flags & MDB_DUPSORT != 0
        hasIntegerValues = flags & MDB_INTEGERDUP != 0
    }

    /// Takes the next item.
    ///
    /// - Throws: `.corrupt` when it does not follow the one before.
    mutating func take(_ item: TreeWalker.Item) throws {
        switch item {
        case .entry(let key, let value): try take(key, value, isBound: false)
        case .bound(let key, let value): try take(key, value, isBound: true)
        }
    }

    private mutating func take(
        _ key: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer?,
        isBound: Bool
    ) throws {
        let value = hasSeveralValues ? value : nil
        if hasLast {
            var order = try Self.compare(lastKey, key, areIntegers: hasIntegerKeys)
            if order == 0 { order = try compareValues(value) }
            guard order < 0 || order == 0 && isLastBound && !isBound else {
                throw PageFile.damaged("The keys of a table are out of order.")
            }
        }
        hasLast = true
        lastKey.removeAll(keepingCapacity: true)
        lastKey.append(contentsOf: key)
        hasLastValue = value != nil
        lastValue.removeAll(keepingCapacity: true)
        if let value { lastValue.append(contentsOf: value) }
        isLastBound = isBound
    }

    /// A bound without a value is below every value of its key.
    private func compareValues(_ right: UnsafeRawBufferPointer?) throws -> Int {
        guard let right else { return hasLastValue ? 1 : 0 }
        guard hasLastValue else { return -1 }
        return try Self.compare(lastValue, right, areIntegers: hasIntegerValues)
    }

    private static func compare(
        _ left: [UInt8],
        _ right: UnsafeRawBufferPointer,
        areIntegers: Bool
    ) throws -> Int {
        try left.withUnsafeBytes { left in
            if areIntegers {
                guard left.count == 8, right.count == 8 else {
                    throw PageFile.damaged("A key has another length than its table's.")
                }
                let (left, right) = (
                    left.loadUnaligned(as: UInt64.self), right.loadUnaligned(as: UInt64.self)
                )
                return left < right ? -1 : left == right ? 0 : 1
            }
            return compareKeys(left, right)
        }
    }
}
