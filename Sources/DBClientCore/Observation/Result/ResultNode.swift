/// A node of a result's tree: a leaf of entries, or an inner node of children, all of one height.
///
/// Changed in place only by the tree that alone refers to it.
final class ResultNode: @unchecked Sendable {
    @exclusivity(unchecked) fileprivate(set) var entries: [ResultEntry]
    @exclusivity(unchecked) fileprivate(set) var children: [ResultNode]
    /// The number of entries in and under the node.
    @exclusivity(unchecked) fileprivate(set) var count: Int
    /// The first entry in or under the node, which has at least one unless it is an empty root.
    @exclusivity(unchecked) fileprivate(set) var first: ResultEntry?

    var isLeaf: Bool { children.isEmpty }

    /// Enough that a path is short, few enough that copying one is cheap.
    static let leafLimit = 16
    static let childLimit = 16

    init(entries: [ResultEntry]) {
        self.entries = entries
        children = []
        count = entries.count
        first = entries.first
    }

    init(children: [ResultNode]) {
        entries = []
        self.children = children
        count = children.reduce(0) { $0 + $1.count }
        first = children.first?.first
    }

    private init(copying other: ResultNode) {
        entries = other.entries
        children = other.children
        count = other.count
        first = other.first
    }

    // MARK: Searching

    /// Returns the position of the first entry that is not before a key.
    func position(of key: OrderKey) -> Int {
        if isLeaf { return lowerBound(key) }
        let index = child(of: key)
        var position = 0
        for before in 0..<index { position += children[before].count }
        return position + children[index].position(of: key)
    }

    /// Returns the entry at a position, which is less than `count`.
    func entry(at position: Int) -> ResultEntry {
        var node = self
        var position = position
        while !node.isLeaf {
            var index = 0
            while position >= node.children[index].count {
                position -= node.children[index].count
                index += 1
            }
            node = node.children[index]
        }
        return node.entries[position]
    }

    private func lowerBound(_ key: OrderKey) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The last child whose first entry is not after the key, or the first child.
    private func child(of key: OrderKey) -> Int {
        var low = 1
        var high = children.count
        while low < high {
            let middle = (low + high) / 2
            if let first = children[middle].first, first.key <= key {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low - 1
    }

    // MARK: Changing

    /// Makes a node one's own.
    static func own(_ node: inout ResultNode) {
        if !isKnownUniquelyReferenced(&node) { node = ResultNode(copying: node) }
    }

    /// Puts an entry into a node that is one's own, in the place of the one with its key if there is one.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - replaced: Gets the one in whose place it is.
    /// - Returns: The node's upper half, when it became too large.
    func put(_ entry: ResultEntry, replaced: inout ResultEntry?) -> ResultNode? {
        if isLeaf { return putIntoLeaf(entry, &replaced) }
        let index = child(of: entry.key)
        Self.own(&children[index])
        let child = children[index]
        count -= child.count
        let sibling = child.put(entry, replaced: &replaced)
        count += child.count + (sibling?.count ?? 0)
        if index == 0 { first = child.first }
        guard let sibling else { return nil }
        children.insert(sibling, at: index + 1)
        guard children.count > Self.childLimit else { return nil }
        let upper = ResultNode(children: Array(children[(children.count / 2)...]))
        children.removeLast(upper.children.count)
        count -= upper.count
        return upper
    }

    private func putIntoLeaf(
        _ entry: ResultEntry,
        _ replaced: inout ResultEntry?
    ) -> ResultNode? {
        let index = lowerBound(entry.key)
        if index == 0 { first = entry }
        if index < entries.count, entries[index].key == entry.key {
            replaced = entries[index]
            entries[index] = entry
            return nil
        }
        entries.insert(entry, at: index)
        count += 1
        guard count > Self.leafLimit else { return nil }
        let upper = ResultNode(entries: Array(entries[(count / 2)...]))
        entries.removeLast(upper.count)
        count = entries.count
        return upper
    }

    /// Removes the entry with a key from a node that is one's own, and returns it if there was one.
    func remove(_ key: OrderKey) -> ResultEntry? {
        defer { first = isLeaf ? entries.first : children.first?.first }
        if isLeaf {
            let index = lowerBound(key)
            guard index < count, entries[index].key == key else { return nil }
            count -= 1
            return entries.remove(at: index)
        }
        let index = child(of: key)
        Self.own(&children[index])
        guard let removed = children[index].remove(key) else { return nil }
        count -= 1
        if children[index].count == 0 {
            children.remove(at: index)
        } else if children[index].isSparse {
            mergeChild(at: index)
        }
        return removed
    }

    private var isSparse: Bool {
        isLeaf ? entries.count < Self.leafLimit / 4 : children.count < Self.childLimit / 4
    }

    /// Joins a child with a neighbour where both fit in one.
    private func mergeChild(at index: Int) {
        let left = index > 0 ? index - 1 : index
        guard left + 1 < children.count else { return }
        let first = children[left]
        let second = children[left + 1]
        let fits =
            first.isLeaf
            ? first.entries.count + second.entries.count <= Self.leafLimit * 3 / 4
            : first.children.count + second.children.count <= Self.childLimit * 3 / 4
        guard fits else { return }
        let merged =
            first.isLeaf
            ? ResultNode(entries: first.entries + second.entries)
            : ResultNode(children: first.children + second.children)
        children.replaceSubrange(left...left + 1, with: CollectionOfOne(merged))
    }
}
