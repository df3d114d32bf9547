/// The pages from a tree's root to a leaf, with the entry that was taken in each.
final class TreePath {
    @exclusivity(unchecked) var pages: [SealedPage] = []
    @exclusivity(unchecked) var indexes: [Int] = []
    /// The tree and its version that the path was left in by a write; nil when it is no path to go on from.
    @exclusivity(unchecked) var written: (tree: ObjectIdentifier, version: Int)?

    @inline(__always)
    var depth: Int { pages.count }

    @inline(__always)
    func push(_ page: SealedPage, _ index: Int) {
        pages.append(page)
        indexes.append(index)
    }

    @inline(__always)
    func pop() {
        pages.removeLast()
        indexes.removeLast()
    }

    @inline(__always)
    func removeAll() {
        written = nil
        pages.removeAll(keepingCapacity: true)
        indexes.removeAll(keepingCapacity: true)
    }

    /// Whether the leaf is the tree's last.
    var isAtLastLeaf: Bool {
        (0..<max(depth - 1, 0)).allSatisfy { indexes[$0] == pages[$0].count - 1 }
    }
}
