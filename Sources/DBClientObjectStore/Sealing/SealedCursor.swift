import CLMDB
import DBClientCore

/// A position in one sealed tree, with the operations of LMDB's cursors that the object store uses.
///
/// Of a key with several values, each is an entry of its own.
final class SealedCursor {
    @exclusivity(unchecked) private(set) var transaction: SealedTransaction
    @exclusivity(unchecked) private var tree: SealedTree
    private let path = TreePath()
    /// The leaf at the end of the path, and the entry there; nil while the cursor is nowhere.
    @exclusivity(unchecked) private var leaf: SealedPage?
    @exclusivity(unchecked) private var index = 0
    /// The tree's, when the cursor was placed.
    @exclusivity(unchecked) private var version = 0
    /// The leaf that the cursor came to last by going on from entry to entry, and the one before it.
    ///
    /// A walk reads entries there in between, and compares the last of one leaf with the first of the next, whatever has
    /// been looked up meanwhile.
    @exclusivity(unchecked) private var walked: (last: SealedPage?, before: SealedPage?)
    /// Whether the entry that the cursor was on has changed since.
    @exclusivity(unchecked) private var isLost = false

    init(_ transaction: SealedTransaction, _ tree: SealedTree) {
        self.transaction = transaction
        self.tree = tree
    }

    /// Makes the cursor one of another transaction, or of one that has taken another snapshot.
    func renew(in transaction: SealedTransaction) throws {
        self.transaction = transaction
        tree = try transaction.tree(tree.table)
        walked = (nil, nil)
        leave()
    }

    // MARK: Moving

    /// Moves the cursor and returns its entry; false at the end.
    @inline(__always)
    func move(
        _ operation: MDB_cursor_op,
        _ key: inout MDB_val,
        _ value: inout MDB_val
    ) throws -> Bool {
        if operation == MDB_SET, !tree.order.hasSeveralValues {
            guard try seek(TreeProbe(key: key)), let leaf else { return false }
            value = try transaction.value(leaf, index)
            return true
        }
        return try moveOtherwise(operation, &key, &value)
    }

    @inline(never)
    private func moveOtherwise(
        _ operation: MDB_cursor_op,
        _ key: inout MDB_val,
        _ value: inout MDB_val
    ) throws -> Bool {
        let several = tree.order.hasSeveralValues
        let isThere: Bool
        var returnsKey = true
        switch operation {
        case MDB_FIRST: isThere = try toEnd(isLast: false)
        case MDB_LAST: isThere = try toEnd(isLast: true)
        case MDB_NEXT: isThere = try step(1)
        case MDB_PREV: isThere = try step(-1)
        case MDB_SET, MDB_SET_KEY:
            returnsKey = operation == MDB_SET_KEY
            isThere = several ? try seekFirstValue(key) : try seek(TreeProbe(key: key))
        case MDB_SET_RANGE:
            _ = try seek(TreeProbe(key: key, side: several ? .before : .value))
            isThere = try settle()
        case MDB_GET_BOTH:
            returnsKey = false
            isThere = try seek(TreeProbe(key: key, value: value))
        case MDB_NEXT_DUP, MDB_NEXT_MULTIPLE: isThere = try stepWithinKey()
        case MDB_NEXT_NODUP: isThere = try several ? stepOverKey() : step(1)
        case MDB_PREV_NODUP: isThere = try several ? stepBeforeKey() : step(-1)
        case MDB_FIRST_DUP: isThere = try currentKey().map(seekFirstValue) ?? false
        case MDB_GET_MULTIPLE: isThere = try currentKey() != nil
        default: throw DBClientError.lmdb(MDB_INCOMPATIBLE)
        }
        guard isThere, let leaf else { return false }
        if operation != MDB_SET, operation != MDB_SET_KEY, operation != MDB_GET_BOTH,
            walked.last !== leaf
        {
            walked = (leaf, walked.last)
        }
        if returnsKey { key = leaf.key(index) }
        value = try transaction.value(leaf, index)
        return true
    }

    /// Places the cursor where an entry is or would be, and returns whether it is there.
    @inline(__always)
    private func seek(_ probe: TreeProbe) throws -> Bool {
        leave()
        let isEqual = try transaction.find(tree, probe, path)
        enter()
        return isEqual
    }

    private func seekFirstValue(_ key: MDB_val) throws -> Bool {
        _ = try seek(TreeProbe(key: key, side: .before))
        guard try settle(), let leaf else { return false }
        return hasKey(leaf, index, key)
    }

    @inline(__always)
    private func hasKey(_ page: SealedPage, _ index: Int, _ key: MDB_val) -> Bool {
        TreeOrder.compare(page.key(index), key, areIntegers: tree.order.hasIntegerKeys) == 0
    }

    /// The key that the cursor is on.
    private func currentKey() throws -> MDB_val? {
        try checkPlace()
        guard let leaf, index < leaf.count else { return nil }
        return leaf.key(index)
    }

    private func checkPlace() throws {
        if isLost || leaf != nil && version != tree.version {
            throw DBClientError(.engine, "A cursor is used where its entry was changed.")
        }
    }

    private func leave() {
        path.removeAll()
        leaf = nil
        isLost = false
    }

    /// Takes the end of the path for the cursor's place.
    @inline(__always)
    private func enter() {
        version = tree.version
        guard let last = path.pages.last, let place = path.indexes.last else { return }
        leaf = last
        index = place
        transaction.pin(last)
    }

    /// Goes on to the next leaf when the cursor is behind the last entry of one; false at the end.
    private func settle() throws -> Bool {
        guard let leaf else { return false }
        if index < leaf.count { return true }
        return try toNextLeaf(1)
    }

    private func toEnd(isLast: Bool) throws -> Bool {
        leave()
        guard let root = try transaction.root(of: tree) else { return false }
        try descend(root, isLast: isLast)
        enter()
        return true
    }

    private func descend(_ top: SealedPage, isLast: Bool) throws {
        var page = top
        while !page.isLeaf {
            let index = isLast ? page.count - 1 : 0
            path.push(page, index)
            page = try transaction.page(page.target(index))
        }
        path.push(page, isLast ? page.count - 1 : 0)
    }

    @inline(__always)
    private func step(_ distance: Int) throws -> Bool {
        try checkPlace()
        guard let leaf else { return try toEnd(isLast: distance < 0) }
        let next = index + distance
        if next >= 0, next < leaf.count {
            index = next
            return true
        }
        return try toNextLeaf(distance)
    }

    /// Goes to the leaf beside; where there is none, the cursor stays.
    private func toNextLeaf(_ distance: Int) throws -> Bool {
        var depth = path.depth - 2
        while depth >= 0 {
            let next = path.indexes[depth] + distance
            if next >= 0, next < path.pages[depth].count {
                while path.depth > depth + 1 { path.pop() }
                path.indexes[depth] = next
                try descend(
                    transaction.page(path.pages[depth].target(next)),
                    isLast: distance < 0
                )
                enter()
                return true
            }
            depth -= 1
        }
        return false
    }

    // MARK: Several values

    /// Goes to the next value of the key; where there is none, the cursor stays.
    private func stepWithinKey() throws -> Bool {
        try checkPlace()
        guard let leaf, index < leaf.count else { return false }
        let key = leaf.key(index)
        if index + 1 < leaf.count {
            guard hasKey(leaf, index + 1, key) else { return false }
            index += 1
            return true
        }
        let (pages, indexes, place) = (path.pages, path.indexes, index)
        guard try toNextLeaf(1), let next = self.leaf else { return false }
        if hasKey(next, 0, key) { return true }
        path.pages = pages
        path.indexes = indexes
        self.leaf = leaf
        index = place
        return false
    }

    /// Goes to the first value of the next key.
    private func stepOverKey() throws -> Bool {
        guard let key = try currentKey(), let leaf else { return try step(1) }
        if index + 1 < leaf.count, !hasKey(leaf, index + 1, key) {
            index += 1
            return true
        }
        return try withExtendedLifetime(leaf) {
            _ = try seek(TreeProbe(key: key, side: .after))
            return try settle()
        }
    }

    /// Goes to the last value of the key before.
    private func stepBeforeKey() throws -> Bool {
        guard let key = try currentKey(), let leaf else { return try step(-1) }
        return try withExtendedLifetime(leaf) {
            _ = try seek(TreeProbe(key: key, side: .before))
            return try step(-1)
        }
    }

    /// The number of values of the key that the cursor is on.
    func valueCount() throws -> Int {
        guard let key = try currentKey(), let leaf else { throw DBClientError.lmdb(MDB_INVALID) }
        if !tree.order.hasSeveralValues { return 1 }
        // Few are in one leaf.
        var first = index
        while first > 0, hasKey(leaf, first - 1, key) { first -= 1 }
        var end = index + 1
        while end < leaf.count, hasKey(leaf, end, key) { end += 1 }
        if first > 0, end < leaf.count { return end - first }
        return try rank(TreeProbe(key: key, side: .after))
            - rank(TreeProbe(key: key, side: .before))
    }

    /// How many entries are before one.
    private func rank(_ probe: TreeProbe) throws -> Int {
        guard var page = try transaction.root(of: tree) else { return 0 }
        var rank = 0
        while !page.isLeaf {
            let index = page.childIndex(probe, tree.order)
            for before in 0..<index { rank += page.countBelow(before) }
            page = try transaction.page(page.target(index))
        }
        return rank + page.lowerBound(probe, tree.order).index
    }

    // MARK: Writing

    /// Whether the cursor is where it was placed.
    private var isPlaced: Bool {
        guard let leaf, !isLost, version == tree.version else { return false }
        return index < leaf.count
    }

    /// Deletes what the cursor is on.
    func delete() throws {
        try checkPlace()
        guard isPlaced else { throw DBClientError.lmdb(MDB_INVALID) }
        path.indexes[path.depth - 1] = index
        try transaction.delete(tree, path)
        leaf = nil
        isLost = true
    }

    func put(_ key: MDB_val, _ value: MDB_val, _ flags: UInt32) throws -> Bool {
        lose()
        return try transaction.put(tree, key, value, flags, path)
    }

    func reserve(_ key: MDB_val, count: Int, _ flags: UInt32) throws -> UnsafeMutableRawPointer? {
        lose()
        return try transaction.reserve(tree, key, count, flags, path)
    }

    private func lose() {
        leaf = nil
        isLost = true
    }
}
