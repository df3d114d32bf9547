/// The rows of a result in their order: a persistent B+ tree.
///
/// A copy is a snapshot that costs nothing and never changes. Changing a tree copies the path to the
/// changed leaf, unless nothing else refers to it; everything else is shared between versions. So nothing is
/// changed that another thread may see.
struct ResultTree: @unchecked Sendable {
    private(set) var root: ResultNode

    init() {
        root = .leaf([])
    }

    /// Creates a tree of entries that are in order.
    init(_ entries: [ResultEntry]) {
        // Room is left for what comes between.
        let size = ResultNode.limit * 3 / 4
        var nodes = stride(from: 0, to: entries.count, by: size).map {
            ResultNode.leaf(entries[$0..<min($0 + size, entries.count)])
        }
        while nodes.count > ResultNode.limit {
            nodes = stride(from: 0, to: nodes.count, by: size).map {
                .inner(nodes[$0..<min($0 + size, nodes.count)])
            }
        }
        root = nodes.count > 1 ? .inner(nodes) : nodes.first ?? .leaf([])
    }

    var count: Int { root.count }

    /// The last entry in order; nil of an empty tree.
    var last: ResultEntry? { count == 0 ? nil : root.entry(at: count - 1) }

    /// The entry at a position, found by the numbers of entries of the nodes.
    subscript(position: Int) -> ResultEntry { root.entry(at: position) }

    /// Adds an entry, in the place of the one with its key if there is one.
    ///
    /// - Returns: Its position, and the one in whose place it is.
    @discardableResult
    mutating func put(_ entry: ResultEntry) -> (position: Int, replaced: ResultEntry?) {
        ResultNode.own(&root)
        var position = 0
        var replaced: ResultEntry?
        if let upper = root.put(entry, entry.key.prefix, &position, replaced: &replaced) {
            root = .inner([root, upper])
        }
        return (position, replaced)
    }

    /// Removes the entry with a key and returns it if there was one, with the position that it had.
    @discardableResult
    mutating func remove(_ key: OrderKey) -> PlacedEntry? {
        ResultNode.own(&root)
        var position = 0
        guard let removed = root.remove(key, key.prefix, &position) else { return nil }
        while !root.isLeaf, root.itemCount == 1 { root = root.child(at: 0) }
        if root.count == 0 { root = .leaf([]) }
        return PlacedEntry(entry: removed, position: position)
    }

    /// Keeps the first entries and returns the others.
    mutating func keepFirst(_ limit: Int) -> [ResultEntry] {
        var removed: [ResultEntry] = []
        while count > limit, let last {
            remove(last.key)
            removed.append(last)
        }
        return removed
    }

    /// Checks that the entries are in strict order, that the counts and the prefixes are right and that
    /// every leaf has the same depth.
    func checkInvariants() {
        var previous: ResultEntry?
        var leafDepth: Int?
        func check(_ node: ResultNode, depth: Int) -> Int {
            precondition(node.itemCount <= ResultNode.limit, "a node is too large")
            var count = 0
            for index in 0..<node.itemCount {
                let item = node.item(at: index)
                count += item.count
                if node.isLeaf {
                    let entry = node.entry(atIndex: index)
                    precondition(leafDepth ?? depth == depth, "leaves differ in depth")
                    leafDepth = depth
                    if let previous {
                        precondition(previous.key < entry.key, "entries are out of order")
                    }
                    previous = entry
                    precondition(item.count == 1, "an entry counts as several")
                    precondition(item.prefix == entry.key.prefix, "an entry's prefix is wrong")
                } else {
                    let child = node.child(at: index)
                    precondition(item.count == check(child, depth: depth + 1), "a count is wrong")
                    precondition(
                        item.prefix == child.item(at: 0).prefix,
                        "a child's prefix is wrong"
                    )
                }
            }
            precondition(node.count == count, "a node's count is wrong")
            return count
        }
        _ = check(root, depth: 0)
    }
}
