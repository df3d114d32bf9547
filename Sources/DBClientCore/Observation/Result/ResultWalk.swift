/// A walk over a range of a tree in order, which steps over a whole node at a time where it may.
struct ResultWalk {
    /// The next step of a walk: a whole node, an entry or the end.
    enum Item {
        case node(ResultNode)
        case entry(ResultEntry)
        case end
    }

    private struct Frame {
        let node: ResultNode
        var index: Int
    }

    private var frames: [Frame] = []
    private(set) var item: Item
    /// The position of the next entry within the range.
    private(set) var position = 0
    /// How many entries of the range are still to come.
    private var remaining: Int

    init(_ tree: ResultTree, _ range: Range<Int>) {
        remaining = range.count
        // A path is rarely longer.
        frames.reserveCapacity(4)
        item = range.isEmpty ? .end : .node(tree.root)
        skip(range.lowerBound)
        position = 0
        limit()
    }

    /// Steps over the next item, a whole node with all of its entries or one entry.
    mutating func advance() {
        switch item {
        case .node(let node):
            position += node.count
            remaining -= node.count
        case .entry:
            position += 1
            remaining -= 1
        case .end: return
        }
        moveOn()
        limit()
    }

    /// Steps two walks over what comes next in both: nodes or entries that are the same objects.
    ///
    /// As many as follow each other in the nodes that the walks are in, compared in one loop: of what a
    /// small change leaves alone, most stands there.
    static func advanceOverShared(_ left: inout ResultWalk, _ right: inout ResultWalk) {
        let run = sharedRun(left, right)
        left.advance(over: run)
        right.advance(over: run)
    }

    /// Returns how many items, and entries in them, come next in both; at least one item does.
    private static func sharedRun(
        _ left: ResultWalk,
        _ right: ResultWalk
    ) -> (items: Int, entries: Int) {
        let limit = min(left.remaining, right.remaining)
        // Only the root stands in no node.
        guard let first = left.frames.last, let second = right.frames.last else {
            return (1, limit)
        }
        var run = (items: 0, entries: 0)
        let end = min(first.node.itemCount - first.index, second.node.itemCount - second.index)
        while run.items < end {
            let item = first.node.item(at: first.index + run.items)
            guard item.object === second.node.item(at: second.index + run.items).object,
                run.entries + item.count <= limit
            else { break }
            run.entries += item.count
            run.items += 1
        }
        return run
    }

    private mutating func advance(over run: (items: Int, entries: Int)) {
        position += run.entries
        remaining -= run.entries
        if let last = frames.indices.last { frames[last].index += run.items - 1 }
        moveOn()
        limit()
    }

    /// Goes into the next item, which is a node.
    mutating func descend() {
        enter()
        limit()
    }

    private mutating func enter() {
        guard case .node(let node) = item else { return }
        frames.append(Frame(node: node, index: 0))
        item = Self.item(of: node, at: 0)
    }

    private static func item(of node: ResultNode, at index: Int) -> Item {
        node.isLeaf ? .entry(node.entry(atIndex: index)) : .node(node.child(at: index))
    }

    /// Goes into a node that reaches beyond the range.
    private mutating func limit() {
        if remaining <= 0 { item = .end }
        while case .node(let node) = item, node.count > remaining { enter() }
    }

    private mutating func moveOn() {
        while let last = frames.indices.last {
            frames[last].index += 1
            let frame = frames[last]
            if frame.index < frame.node.itemCount {
                item = Self.item(of: frame.node, at: frame.index)
                return
            }
            frames.removeLast()
        }
        item = .end
    }

    /// Goes to the beginning of the range.
    private mutating func skip(_ count: Int) {
        var left = count
        while left > 0 {
            switch item {
            case .node(let node) where node.count > left: enter()
            case .node(let node):
                left -= node.count
                moveOn()
            case .entry:
                left -= 1
                moveOn()
            case .end: return
            }
        }
    }
}
