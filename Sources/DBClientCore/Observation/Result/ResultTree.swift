/// The rows of a result in their order: a persistent B+ tree.
///
/// A copy is a snapshot that costs nothing and never changes. Changing a tree copies the path to the
/// changed leaf, unless nothing else refers to it; everything else is shared between versions.
struct ResultTree: Sendable {
    private(set) var root: ResultNode

    /// Creates an empty tree.
    init() {
        root = ResultNode(entries: [])
    }

    /// Creates a tree of entries that are in order.
    init(_ entries: [ResultEntry]) {
        // Room is left for what comes between.
        var nodes = stride(from: 0, to: entries.count, by: ResultNode.leafLimit * 3 / 4).map {
            ResultNode(
                entries: Array(entries[$0..<min($0 + ResultNode.leafLimit * 3 / 4, entries.count)])
            )
        }
        while nodes.count > 1 {
            nodes = stride(from: 0, to: nodes.count, by: ResultNode.childLimit * 3 / 4).map {
                ResultNode(
                    children: Array(
                        nodes[$0..<min($0 + ResultNode.childLimit * 3 / 4, nodes.count)]
                    )
                )
            }
        }
        root = nodes.first ?? ResultNode(entries: [])
    }

    /// The number of entries.
    var count: Int { root.count }

    /// The last entry.
    var last: ResultEntry? { count == 0 ? nil : root.entry(at: count - 1) }

    /// The position of the first entry that is not before a key.
    func position(of key: OrderKey) -> Int { root.position(of: key) }

    /// The entry at a position.
    subscript(position: Int) -> ResultEntry { root.entry(at: position) }

    /// Adds an entry, in the place of the one with its key if there is one, and returns that.
    @discardableResult
    mutating func put(_ entry: ResultEntry) -> ResultEntry? {
        ResultNode.own(&root)
        var replaced: ResultEntry?
        if let upper = root.put(entry, replaced: &replaced) {
            root = ResultNode(children: [root, upper])
        }
        return replaced
    }

    /// Removes the entry with a key and returns it if there was one.
    @discardableResult
    mutating func remove(_ key: OrderKey) -> ResultEntry? {
        ResultNode.own(&root)
        guard let removed = root.remove(key) else { return nil }
        while root.children.count == 1 { root = root.children[0] }
        if root.count == 0 { root = ResultNode(entries: []) }
        return removed
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

    /// Checks that the entries are in strict order, that the counts are right and that every leaf has
    /// the same depth.
    func checkInvariants() {
        var previous: ResultEntry?
        var leafDepth: Int?
        func check(_ node: ResultNode, depth: Int) -> Int {
            if node.isLeaf {
                precondition(leafDepth ?? depth == depth, "leaves differ in depth")
                leafDepth = depth
                for entry in node.entries {
                    if let previous {
                        precondition(previous.key < entry.key, "entries are out of order")
                    }
                    previous = entry
                }
                precondition(node.entries.count <= ResultNode.leafLimit, "a leaf is too large")
                precondition(node.count == node.entries.count, "a leaf's count is wrong")
                precondition(node.first === node.entries.first, "a leaf's first entry is wrong")
                return node.count
            }
            precondition(node.entries.isEmpty, "an inner node has entries")
            precondition(node.children.count <= ResultNode.childLimit, "a node is too large")
            precondition(node.first === node.children[0].first, "a node's first entry is wrong")
            let count = node.children.reduce(0) { $0 + check($1, depth: depth + 1) }
            precondition(node.count == count, "a node's count is wrong")
            return count
        }
        _ = check(root, depth: 0)
    }
}
