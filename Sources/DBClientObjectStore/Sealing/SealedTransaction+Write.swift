import CLMDB
import DBClientCore

// Changes of trees, in the way of B+ trees: entries are in the leaves, a page without room is split, and one that is
// nearly empty joins a neighbour.
extension SealedTransaction {
    /// The least and the greatest size of a key, and the greatest of one of several values, as LMDB has them.
    private static let keySizes = 1...511

    /// Writes an entry; false when the flags forbid it because of what there is.
    @discardableResult
    func put(
        _ tree: SealedTree,
        _ key: MDB_val,
        _ value: MDB_val,
        _ flags: UInt32 = 0,
        _ path: TreePath? = nil
    ) throws -> Bool {
        guard let target = try reserve(tree, key, value.mv_size, flags, path, value) else {
            return false
        }
        if let data = value.mv_data, target != data {
            target.copyMemory(from: data, byteCount: value.mv_size)
        }
        return true
    }

    /// Makes room for the value of an entry and returns where to write it; nil when the flags forbid it because of
    /// what there is.
    ///
    /// - Parameters:
    ///   - tree: The table.
    ///   - key: The key, whose bytes are not in the tree.
    ///   - size: The size of the value.
    ///   - flags: LMDB's.
    ///   - path: Where the path is left; the transaction's own for nil.
    ///   - value: The value, which orders entries where a key has several.
    /// - Returns: Where the value is to be written; nil when it must not be.
    /// - Throws: `.corrupt`, `.invalidValue` for a key that is too long.
    func reserve(
        _ tree: SealedTree,
        _ key: MDB_val,
        _ size: Int,
        _ flags: UInt32,
        _ path: TreePath?,
        _ value: MDB_val = MDB_val()
    ) throws -> UnsafeMutableRawPointer? {
        let path = path ?? self.path
        guard Self.keySizes.contains(key.mv_size),
            !tree.order.hasIntegerKeys || key.mv_size == 8,
            !tree.order.hasSeveralValues || size <= Self.keySizes.upperBound
        else { throw DBClientError.lmdb(MDB_BAD_VALSIZE) }
        let probe = TreeProbe(key: key, value: value)
        let isFound = try findNearby(tree, probe, path) ?? find(tree, probe, path)
        if flags & UInt32(MDB_APPEND | MDB_APPENDDUP) != 0, !isAtEnd(path) { return nil }
        if isFound, flags & UInt32(MDB_NOOVERWRITE | MDB_NODUPDATA | MDB_APPENDDUP) != 0 {
            return nil
        }
        if isFound, tree.order.hasSeveralValues { return value.mv_data }
        if isFound { return try replace(tree, path, key, size) }
        if tree.order.hasSeveralValues, flags & UInt32(MDB_NOOVERWRITE) != 0,
            try get(tree, key) != nil
        {
            return nil
        }
        touch(tree, path)
        count(path, 1)
        tree.entryCount += 1
        let (entry, target) = try newEntry(tree, key, size, value)
        return try insert(tree, path, entry, target)
    }

    /// Deletes the entry that a path ends at.
    func delete(_ tree: SealedTree, _ path: TreePath) throws {
        touch(tree, path)
        count(path, -1)
        tree.entryCount -= 1
        let leaf = path.depth - 1
        let (page, index) = (path.pages[leaf], path.indexes[leaf])
        freeValue(tree, page, index)
        page.remove(index)
        try settle(tree, path, leaf)
        path.removeAll()
    }

    /// Deletes a key with all its values, and returns whether it was there.
    func delete(_ tree: SealedTree, _ key: MDB_val) throws -> Bool {
        var isFound = false
        while true {
            let side: TreeProbe.Side = tree.order.hasSeveralValues ? .before : .value
            let isEqual = try find(tree, TreeProbe(key: key, side: side), path)
            if tree.order.hasSeveralValues {
                guard path.depth > 0 else { return isFound }
                let cursor = SealedCursor(self, tree)
                var found = key
                var value = MDB_val()
                guard try cursor.move(MDB_SET, &found, &value) else { return isFound }
                try cursor.delete()
                isFound = true
                continue
            }
            guard isEqual else { return false }
            try delete(tree, path)
            return true
        }
    }

    /// Removes every entry of a tree.
    func empty(_ tree: SealedTree) throws {
        if let root = try root(of: tree) {
            // All at once: of a tree that is damaged somewhere nothing is freed.
            var numbers: [UInt64] = []
            try collect(root, below: tree.valueCount > 0, &numbers)
            for number in numbers { free(number) }
        }
        tree.clear()
    }

    private func collect(
        _ page: SealedPage,
        below hasValues: Bool,
        _ numbers: inout [UInt64]
    ) throws {
        for index in 0..<page.count {
            let target = page.target(index)
            if page.isLeaf {
                if page.hasValueElsewhere(index) { numbers.append(target.number) }
            } else if page.level > 1 || hasValues {
                try collect(self.page(target), below: hasValues, &numbers)
            } else {
                numbers.append(target.number)
            }
        }
        numbers.append(page.number)
    }

    // MARK: Paths

    private func isAtEnd(_ path: TreePath) -> Bool {
        guard let leaf = path.pages.last, let index = path.indexes.last else { return true }
        return index == leaf.count && path.isAtLastLeaf
    }

    /// Goes to where an entry is or would be, and returns whether it is there.
    @inline(__always)
    func find(_ tree: SealedTree, _ probe: TreeProbe, _ path: TreePath) throws -> Bool {
        path.removeAll()
        guard var page = try root(of: tree) else { return false }
        while !page.isLeaf {
            let index = page.childIndex(probe, tree.order)
            path.push(page, index)
            page = try self.page(page.target(index))
        }
        let (index, isEqual) = page.lowerBound(probe, tree.order)
        path.push(page, index)
        return isEqual
    }

    /// Goes to where an entry is or would be if that is the leaf that was written last, as it mostly is when entries
    /// come in order; nil when it is another.
    private func findNearby(_ tree: SealedTree, _ probe: TreeProbe, _ path: TreePath) -> Bool? {
        guard let written = path.written, written.tree == ObjectIdentifier(tree),
            written.version == tree.version, let leaf = path.pages.last, leaf.owner == id,
            leaf.count > 0, leaf.compare(0, probe, tree.order) <= 0,
            leaf.compare(leaf.count - 1, probe, tree.order) >= 0 || path.isAtLastLeaf
        else { return nil }
        let (index, isEqual) = leaf.lowerBound(probe, tree.order)
        path.indexes[path.depth - 1] = index
        return isEqual
    }

    /// Makes the pages of a path the transaction's own; a tree without entries gets its first leaf.
    private func touch(_ tree: SealedTree, _ path: TreePath) {
        tree.version += 1
        tree.isChanged = true
        if path.depth == 0 {
            let root = makePage(tree, level: 0)
            tree.root = root
            tree.depth = 1
            path.push(root, 0)
        }
        for depth in 0..<path.depth {
            let page = path.pages[depth]
            if page.owner == id { continue }
            let copy = own(page)
            path.pages[depth] = copy
            if depth == 0 {
                tree.root = copy
            } else {
                path.pages[depth - 1].setUnsealed(path.indexes[depth - 1])
            }
        }
    }

    func own(_ page: SealedPage) -> SealedPage {
        noteReplaced(page)
        let copy = SealedPage(copying: page, owner: id)
        dirty[copy.number] = copy
        return copy
    }

    private func count(_ path: TreePath, _ change: Int) {
        for depth in 0..<path.depth - 1 {
            let (page, index) = (path.pages[depth], path.indexes[depth])
            page.setCountBelow(index, page.countBelow(index) + change)
        }
    }

    private func makePage(_ tree: SealedTree, level: Int) -> SealedPage {
        let page = SealedPage(number: takeNumber(), level: level, owner: id)
        dirty[page.number] = page
        if level == 0 { tree.leafCount += 1 } else { tree.branchCount += 1 }
        return page
    }

    private func takeNumber() -> UInt64 {
        defer { nextPage += 1 }
        return nextPage
    }

    private func free(_ number: UInt64) {
        dirty[number] = nil
        freed.insert(number)
    }

    func free(_ page: SealedPage, of tree: SealedTree) {
        if page.isLeaf { tree.leafCount -= 1 } else { tree.branchCount -= 1 }
        noteReplaced(page)
        free(page.number)
    }

    /// Notes that a page is of no use to later snapshots; one that was changed in this transaction has no tag.
    private func noteReplaced(_ page: SealedPage) {
        if page.owner == 0 { replaced.append(page.tag) }
    }

    // MARK: Entries

    /// Makes an entry for a value of some size; one that is elsewhere gets its place.
    private func newEntry(
        _ tree: SealedTree,
        _ key: MDB_val,
        _ size: Int,
        _ value: MDB_val = MDB_val()
    ) throws -> (NewEntry, UnsafeMutableRawPointer?) {
        // A size is kept in 32 bits.
        guard size <= Int(UInt32.max) - SealingKeys.overhead else {
            throw DBClientError.lmdb(MDB_BAD_VALSIZE)
        }
        // Its bytes may come later, but not where they order entries.
        let entry = NewEntry(key, MDB_val(mv_size: size, mv_data: value.mv_data))
        if SealedPage.room(entry) <= SealedPage.largestEntry { return (entry, nil) }
        let value = SealedPage(number: takeNumber(), size: size)
        value.owner = id
        dirty[value.number] = value
        tree.valueCount += 1
        tree.valuePageCount += Self.pageCount(ofValue: size)
        let target = PageReference(number: value.number, isUnsealed: true)
        return (NewEntry(key, size: size, target), value.base)
    }

    private static func pageCount(ofValue size: Int) -> Int { size / SealedPage.memorySize + 1 }

    private func freeValue(_ tree: SealedTree, _ page: SealedPage, _ index: Int) {
        guard page.hasValueElsewhere(index) else { return }
        tree.valueCount -= 1
        tree.valuePageCount -= Self.pageCount(ofValue: page.valueSize(index))
        free(page.target(index).number)
    }

    /// Gives the entry that a path ends at a value of another size.
    private func replace(
        _ tree: SealedTree,
        _ path: TreePath,
        _ key: MDB_val,
        _ size: Int
    ) throws -> UnsafeMutableRawPointer? {
        touch(tree, path)
        let leaf = path.depth - 1
        let (page, index) = (path.pages[leaf], path.indexes[leaf])
        if !page.hasValueElsewhere(index), page.valueSize(index) == size {
            return page.value(index).mv_data
        }
        freeValue(tree, page, index)
        page.remove(index)
        let (entry, target) = try newEntry(tree, key, size)
        return try insert(tree, path, entry, target)
    }

    private func insert(
        _ tree: SealedTree,
        _ path: TreePath,
        _ entry: NewEntry,
        _ target: UnsafeMutableRawPointer?
    ) throws -> UnsafeMutableRawPointer {
        let leaf = path.depth - 1
        let page = path.pages[leaf]
        if page.freeSize >= SealedPage.room(entry) {
            let inline = page.insert(entry, at: path.indexes[leaf])
            path.written = (ObjectIdentifier(tree), tree.version)
            return target ?? inline
        }
        let inline = split(tree, path, leaf, path.indexes[leaf], entry)
        path.removeAll()
        return target ?? inline
    }

    // MARK: Splitting

    /// Inserts an entry into the page of a path at some depth, which is split when it has no room.
    private func insert(
        _ tree: SealedTree,
        _ path: TreePath,
        _ depth: Int,
        _ index: Int,
        _ entry: NewEntry
    ) -> UnsafeMutableRawPointer {
        let page = path.pages[depth]
        if page.freeSize >= SealedPage.room(entry) { return page.insert(entry, at: index) }
        return split(tree, path, depth, index, entry)
    }

    private func split(
        _ tree: SealedTree,
        _ path: TreePath,
        _ depth: Int,
        _ index: Int,
        _ entry: NewEntry
    ) -> UnsafeMutableRawPointer {
        let left = path.pages[depth]
        let right = makePage(tree, level: left.level)
        let count = left.count
        let isLast = (0..<depth).allSatisfy { path.indexes[$0] == path.pages[$0].count - 1 }
        // Entries that come in ascending order fill pages.
        let cut = isLast && index == count ? count : Self.cut(left, index, SealedPage.room(entry))
        let isLeft = index < cut
        let kept = isLeft ? cut - 1 : cut
        right.append(kept..<count, of: left)
        left.truncate(to: kept)
        let inline =
            isLeft ? left.insert(entry, at: index) : right.insert(entry, at: index - cut)
        let separator = NewEntry(
            right.key(0),
            tree.order.hasSeveralValues ? right.value(0) : MDB_val(),
            child: PageReference(number: right.number, isUnsealed: true),
            count: right.totalCount
        )
        if depth == 0 {
            let root = makePage(tree, level: left.level + 1)
            let first = PageReference(number: left.number, isUnsealed: true)
            root.insert(
                NewEntry(MDB_val(), MDB_val(), child: first, count: left.totalCount),
                at: 0
            )
            root.insert(separator, at: 1)
            tree.root = root
            tree.depth += 1
        } else {
            let place = path.indexes[depth - 1]
            path.pages[depth - 1].setCountBelow(place, left.totalCount)
            _ = insert(tree, path, depth - 1, place + 1, separator)
        }
        return inline
    }

    /// Returns how many entries, with a new one among them, go to the left so that both pages are about as full.
    private static func cut(_ page: SealedPage, _ index: Int, _ added: Int) -> Int {
        let count = page.count
        func room(at place: Int) -> Int {
            place == index ? added : page.room(place < index ? place : place - 1)
        }
        let total = (0...count).reduce(0) { $0 + room(at: $1) }
        var left = 0
        var best = (cut: 1, size: Int.max)
        for cut in 1...count {
            left += room(at: cut - 1)
            let size = max(left, total - left)
            if size < best.size { best = (cut, size) }
        }
        return best.cut
    }
}
