import CLMDB

/// Checks that what is met in a table comes in the order in which LMDB looks for it.
struct KeyOrder {
    private let hasIntegerKeys: Bool
    private let hasSeveralValues: Bool
    private let hasIntegerValues: Bool
    private var last: (key: [UInt8], value: [UInt8]?, isBound: Bool)?

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
        if let last {
            var order = try Self.compare(last.key, key, areIntegers: hasIntegerKeys)
            if order == 0 { order = try compare(last.value, value) }
            guard order < 0 || order == 0 && last.isBound && !isBound else {
                throw PageFile.damaged("The keys of a table are out of order.")
            }
        }
        last = (Array(key), value.map { Array($0) }, isBound)
    }

    /// A bound without a value is below every value of its key.
    private func compare(_ left: [UInt8]?, _ right: UnsafeRawBufferPointer?) throws -> Int {
        switch (left, right) {
        case (nil, nil): 0
        case (nil, _): -1
        case (_, nil): 1
        case (let left?, let right?):
            try Self.compare(left, right, areIntegers: hasIntegerValues)
        }
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
            let order = memcmp(left, right)
            return order == 0 ? left.count - right.count : order
        }
    }

    private static func memcmp(
        _ left: UnsafeRawBufferPointer,
        _ right: UnsafeRawBufferPointer
    ) -> Int {
        for (left, right) in zip(left, right) where left != right { return Int(left) - Int(right) }
        return 0
    }
}
