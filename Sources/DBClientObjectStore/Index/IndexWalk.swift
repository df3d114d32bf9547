import CLMDB
import DBClientCore

/// A walk over the primary keys that an index has for a range of its keys.
///
/// Backwards, keys descend while the primary keys of each still ascend.
struct IndexWalk {
    /// The primary key at the walk's position.
    private(set) var primaryKey = MDB_val()
    private let cursor: Cursor
    private let range: KeyRange
    private let isReversed: Bool
    /// Whether primary keys are eight bytes each, which come a page at a time.
    private let isFixed: Bool
    private var key = MDB_val()
    private var place = Place.before
    /// How many primary keys follow in the page.
    private var rest = 0

    private enum Place {
        case before
        case amongKeys
        case amongValues
        case amongPages
        case onOnlyValue
        case end
    }

    /// Creates a walk.
    ///
    /// - Parameters:
    ///   - cursor: The index's, which nothing else moves meanwhile.
    ///   - range: The keys.
    ///   - isReversed: Whether keys descend.
    ///   - isFixed: Whether primary keys are integers.
    init(_ cursor: Cursor, _ range: KeyRange, isReversed: Bool, isFixed: Bool) {
        self.cursor = cursor
        self.range = range
        self.isReversed = isReversed
        self.isFixed = isFixed
    }

    /// Goes to the next primary key and returns whether there is one.
    @inline(__always)
    mutating func advance() throws -> Bool {
        if rest > 0 {
            rest -= 1
            primaryKey.mv_data = primaryKey.mv_data + 8
            return true
        }
        return try advanceByCursor()
    }

    @inline(never)
    private mutating func advanceByCursor() throws -> Bool {
        let isThere =
            switch place {
            case .before: try begin()
            case .amongKeys:
                try cursor.move(MDB_NEXT, &key, &primaryKey) && !range.isPast(key)
            case .amongValues: try cursor.move(MDB_NEXT_DUP, &key, &primaryKey) || goBack()
            case .amongPages: try takePage(MDB_NEXT_MULTIPLE) || goBack()
            case .onOnlyValue: try goBack()
            case .end: false
            }
        if !isThere { place = .end }
        return isThere
    }

    private mutating func begin() throws -> Bool {
        if range.isOneKey {
            let isThere = try range.lower.withUnsafeBytes { lower in
                key = MDB_val(lower)
                return try cursor.move(MDB_SET_KEY, &key, &primaryKey)
            }
            if isThere { try enterKey() }
            return isThere
        }
        if isReversed { return try moveToLast() && enterKeyFromBehind() }
        place = .amongKeys
        let isThere = try range.lower.withUnsafeBytes { lower in
            key = MDB_val(lower)
            return try cursor.move(lower.isEmpty ? MDB_FIRST : MDB_SET_RANGE, &key, &primaryKey)
        }
        return isThere && !range.isPast(key)
    }

    /// Goes to the key before, where keys descend.
    private mutating func goBack() throws -> Bool {
        guard isReversed, !range.isOneKey else { return false }
        return try cursor.move(MDB_PREV_NODUP, &key, &primaryKey) && enterKeyFromBehind()
    }

    /// Begins with the first primary key of the key on whose last the cursor is.
    private mutating func enterKeyFromBehind() throws -> Bool {
        guard !range.isBelow(key), try cursor.move(MDB_FIRST_DUP, &key, &primaryKey) else {
            return false
        }
        try enterKey()
        return true
    }

    /// Begins with the primary key that the cursor is on, the first of its key.
    private mutating func enterKey() throws {
        place = .amongValues
        guard isFixed else { return }
        let first = primaryKey
        // A key's only value stands by itself, on no page of values. LMDB then returns none, or after
        // a step back the page of the key that the cursor came from.
        if try takePage(MDB_GET_MULTIPLE),
            primaryKey.mv_data.loadUnaligned(as: UInt64.self)
                == first.mv_data.loadUnaligned(as: UInt64.self)
        {
            place = .amongPages
        } else {
            primaryKey = first
            rest = 0
            place = .onOnlyValue
        }
    }

    /// Stands on the first primary key of a page.
    private mutating func takePage(_ operation: MDB_cursor_op) throws -> Bool {
        var page = MDB_val()
        guard try cursor.move(operation, &key, &page), page.mv_size > 0 else { return false }
        primaryKey = MDB_val(page.mv_data, 8)
        rest = page.mv_size / 8 - 1
        return true
    }

    /// Moves to the last value of the last key of the range.
    private mutating func moveToLast() throws -> Bool {
        guard let upper = range.upper else { return try moveToLastOfAll() }
        return try upper.withUnsafeBytes { upper in
            key = MDB_val(upper)
            return try cursor.move(MDB_SET_RANGE, &key, &primaryKey)
                ? try cursor.move(MDB_PREV, &key, &primaryKey)
                : try moveToLastOfAll()
        }
    }

    /// Moves to the last key of an index, by way of its name: of a cursor that `MDB_LAST` has placed LMDB
    /// says that nothing follows, even when it has gone back to the first value of the key.
    private mutating func moveToLastOfAll() throws -> Bool {
        try cursor.move(MDB_LAST, &key, &primaryKey)
            && cursor.move(MDB_SET_KEY, &key, &primaryKey)
    }
}

extension KeyRange {
    /// Whether a key comes after the range.
    func isPast(_ key: MDB_val) -> Bool {
        guard let upper else { return false }
        return upper.withUnsafeBytes { compareKeys(key.bytes, $0) >= 0 }
    }

    /// Whether a key comes before the range.
    fileprivate func isBelow(_ key: MDB_val) -> Bool {
        lower.withUnsafeBytes { compareKeys(key.bytes, $0) < 0 }
    }
}
