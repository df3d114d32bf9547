import CLMDB
import DBClientCore

// Pages that have become small, and roots that lead to one page alone.
extension SealedTransaction {
    /// Joins a page of a path with a neighbour when it has become small, and takes an empty one out.
    func settle(_ tree: SealedTree, _ path: TreePath, _ depth: Int) throws {
        let page = path.pages[depth]
        if depth == 0 { return try settleRoot(tree, page) }
        let parent = path.pages[depth - 1]
        let index = path.indexes[depth - 1]
        if page.count == 0 {
            free(page, of: tree)
            parent.remove(index)
            return try settle(tree, path, depth - 1)
        }
        if page.usedSize > SealedPage.capacity / 4 { return }
        let isFirst = index == 0
        let other = isFirst ? 1 : index - 1
        guard other < parent.count else { return try settle(tree, path, depth - 1) }
        let neighbour = try self.page(parent.target(other))
        let (left, right) = isFirst ? (page, neighbour) : (neighbour, page)
        let rightIndex = isFirst ? 1 : index
        // The first entry of a branch has no key of its own: what is less than its child's is in the parent.
        var first: NewEntry?
        var room = right.usedSize
        if !right.isLeaf {
            let entry = NewEntry(
                parent.key(rightIndex),
                tree.order.hasSeveralValues ? parent.value(rightIndex) : MDB_val(),
                child: right.target(0),
                count: right.countBelow(0)
            )
            room += SealedPage.room(entry) - right.room(0)
            first = entry
        }
        guard left.freeSize >= room else { return }
        let joined = left.owner == id ? left : own(left)
        if let first {
            joined.insert(first, at: joined.count)
            joined.append(1..<right.count, of: right)
        } else {
            joined.append(0..<right.count, of: right)
        }
        parent.setUnsealed(rightIndex - 1)
        parent.setCountBelow(rightIndex - 1, joined.totalCount)
        parent.remove(rightIndex)
        free(right, of: tree)
        try settle(tree, path, depth - 1)
    }

    private func settleRoot(_ tree: SealedTree, _ root: SealedPage) throws {
        var root = root
        while !root.isLeaf, root.count == 1 {
            let target = root.target(0)
            let child = try page(target)
            free(root, of: tree)
            tree.rootReference = target
            tree.root = child
            tree.depth -= 1
            root = child
        }
        if root.count == 0 {
            free(root, of: tree)
            let version = tree.version
            tree.clear()
            tree.version = version + 1
        }
    }
}
