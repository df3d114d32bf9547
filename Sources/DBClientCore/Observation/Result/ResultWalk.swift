/// A walk over a range of a tree in order, which steps over a whole node at a time where it may.
struct ResultWalk {
    /// What comes next.
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
    /// How many entries are left.
    private var remaining: Int

    init(_ tree: ResultTree, _ range: Range<Int>) {
        remaining = range.count
        item = range.isEmpty ? .end : .node(tree.root)
        skip(range.lowerBound)
        position = 0
        limit()
    }

    /// Steps over the next item.
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

    /// Goes into the next item, which is a node.
    mutating func descend() {
        enter()
        limit()
    }

    private mutating func enter() {
        guard case .node(let node) = item else { return }
        frames.append(Frame(node: node, index: 0))
        item = node.isLeaf ? .entry(node.entries[0]) : .node(node.children[0])
    }

    /// Goes into a node that reaches beyond the range.
    private mutating func limit() {
        if remaining <= 0 { item = .end }
        while case .node(let node) = item, node.count > remaining { enter() }
    }

    private mutating func moveOn() {
        while var frame = frames.popLast() {
            frame.index += 1
            if frame.node.isLeaf, frame.index < frame.node.entries.count {
                item = .entry(frame.node.entries[frame.index])
            } else if frame.index < frame.node.children.count {
                item = .node(frame.node.children[frame.index])
            } else {
                continue
            }
            frames.append(frame)
            return
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
