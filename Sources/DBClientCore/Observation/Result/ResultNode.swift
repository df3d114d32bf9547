/// A node of a result's tree: a leaf of entries, or an inner node of children, all of one height.
///
/// Changed in place only by the tree that alone refers to it. What it has stands in the node's own memory, with
/// what a search needs of it, so that a copy is one allocation and a search follows few pointers.
final class ResultNode: ManagedBuffer<ResultNodeHeader, ResultNodeItem> {
    /// Enough that a path is short, few enough that copying one is cheap.
    static let limit = 16

    static func leaf(_ entries: some Collection<ResultEntry>) -> ResultNode {
        make(isLeaf: true, entries.lazy.map { ResultNodeItem($0) })
    }

    static func inner(_ children: some Collection<ResultNode>) -> ResultNode {
        make(isLeaf: false, children.lazy.map { ResultNodeItem($0) })
    }

    private static func make(
        isLeaf: Bool,
        _ items: some Sequence<ResultNodeItem>
    ) -> ResultNode {
        let node = make(isLeaf: isLeaf)
        for item in items { node.append(item) }
        return node
    }

    private static func make(isLeaf: Bool) -> ResultNode {
        // One more than it may keep, which it has before it is split.
        let node = create(minimumCapacity: limit + 1) { _ in ResultNodeHeader(isLeaf: isLeaf) }
        return unsafeDowncast(node, to: ResultNode.self)
    }

    deinit {
        let items = items
        for index in 0..<head.pointee.itemCount { (items + index).deinitialize(count: 1) }
    }

    var isLeaf: Bool { head.pointee.isLeaf }

    /// The number of entries in and under the node.
    var count: Int { head.pointee.count }

    /// The number of entries or children that it has itself.
    var itemCount: Int { head.pointee.itemCount }

    /// An entry of a leaf, or a child of an inner node, and how many entries it stands for.
    func item(at index: Int) -> ResultNodeItem { items[index] }

    /// Returns an entry of a leaf; must not be called on an inner node.
    func entry(atIndex index: Int) -> ResultEntry {
        unsafeDowncast(items[index].object, to: ResultEntry.self)
    }

    /// A child of an inner node.
    func child(at index: Int) -> ResultNode {
        unsafeDowncast(items[index].object, to: ResultNode.self)
    }

    /// The first entry in or under the node, which has at least one unless it is an empty root.
    var first: ResultEntry? {
        var node = self
        while !node.isLeaf { node = node.child(at: 0) }
        return node.itemCount == 0 ? nil : node.entry(atIndex: 0)
    }

    /// The header, without the checks that each access to `header` makes.
    @inline(__always)
    private var head: UnsafeMutablePointer<ResultNodeHeader> {
        withUnsafeMutablePointerToHeader { $0 }
    }

    @inline(__always)
    private var items: UnsafeMutablePointer<ResultNodeItem> {
        withUnsafeMutablePointerToElements { $0 }
    }

    // MARK: Searching

    /// The number of entries under the children before one.
    private func countOfEntries(before index: Int) -> Int {
        let items = items
        var count = 0
        for before in 0..<index { count += items[before].count }
        return count
    }

    /// Returns the entry at a position, which is less than `count`.
    func entry(at position: Int) -> ResultEntry {
        var node = self
        var position = position
        while !node.isLeaf {
            var index = 0
            while position >= node.items[index].count {
                position -= node.items[index].count
                index += 1
            }
            node = node.child(at: index)
        }
        return node.entry(atIndex: position)
    }

    /// The first entry of a leaf that is not before a key.
    private func lowerBound(_ key: OrderKey, _ prefix: UInt64) -> Int {
        let items = items
        var low = 0
        var high = head.pointee.itemCount
        while low < high {
            let middle = (low + high) / 2
            let other = items[middle].prefix
            if other < prefix || other == prefix && entry(atIndex: middle).key < key {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// The last child whose first entry is not after the key, or the first child.
    private func indexOfChild(_ key: OrderKey, _ prefix: UInt64) -> Int {
        let items = items
        var low = 1
        var high = head.pointee.itemCount
        while low < high {
            let middle = (low + high) / 2
            let other = items[middle].prefix
            if other < prefix || other == prefix && child(at: middle).begins(upTo: key) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low - 1
    }

    private func begins(upTo key: OrderKey) -> Bool {
        first.map { $0.key <= key } ?? true
    }

    /// Whether the entry at a place in a leaf has a key.
    private func has(_ key: OrderKey, at index: Int) -> Bool {
        index < head.pointee.itemCount && entry(atIndex: index).key == key
    }

    // MARK: Changing

    /// Makes a node uniquely referenced, by copying it where it is shared.
    static func own(_ node: inout ResultNode) {
        if !isKnownUniquelyReferenced(&node) { node = node.copy() }
    }

    private func copy() -> ResultNode {
        let node = Self.make(isLeaf: isLeaf)
        let (source, target) = (items, node.items)
        for index in 0..<head.pointee.itemCount { (target + index).initialize(to: source[index]) }
        node.head.pointee = head.pointee
        return node
    }

    /// Makes a child uniquely referenced and returns it.
    private func ownChild(at index: Int) -> ResultNode {
        if !isKnownUniquelyReferenced(&items[index].object) {
            items[index].object = child(at: index).copy()
        }
        return child(at: index)
    }

    private func append(_ item: ResultNodeItem) {
        (items + head.pointee.itemCount).initialize(to: item)
        head.pointee.itemCount += 1
        head.pointee.count += item.count
    }

    private func insert(_ item: ResultNodeItem, at index: Int) {
        let place = items + index
        (place + 1).moveInitialize(from: place, count: head.pointee.itemCount - index)
        place.initialize(to: item)
        head.pointee.itemCount += 1
        head.pointee.count += item.count
    }

    /// Takes an item out, with the entries that it was counted for.
    @discardableResult
    private func removeItem(at index: Int) -> ResultNodeItem {
        let place = items + index
        let item = place.move()
        place.moveInitialize(from: place + 1, count: head.pointee.itemCount - index - 1)
        head.pointee.itemCount -= 1
        head.pointee.count -= item.count
        return item
    }

    /// Notes how many entries a uniquely referenced child has now, and how they begin.
    private func noteChange(at index: Int) {
        let child = child(at: index)
        head.pointee.count += child.count - items[index].count
        items[index].count = child.count
        items[index].prefix = child.items[0].prefix
    }

    /// Takes the upper half away when there are more items than a node may have.
    private func split() -> ResultNode? {
        guard itemCount > Self.limit else { return nil }
        let upper = Self.make(isLeaf: isLeaf)
        let kept = itemCount / 2
        for index in kept..<itemCount { upper.append((items + index).move()) }
        head.pointee.itemCount = kept
        head.pointee.count -= upper.count
        return upper
    }

    /// Puts an entry into a node that is uniquely referenced, in the place of the one with its key if there
    /// is one.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - prefix: The first bytes of its key.
    ///   - position: Grows by the number of entries before it.
    ///   - replaced: Gets the one in whose place it is.
    /// - Returns: The node's upper half, when it became too large.
    func put(
        _ entry: ResultEntry,
        _ prefix: UInt64,
        _ position: inout Int,
        replaced: inout ResultEntry?
    ) -> ResultNode? {
        if isLeaf {
            let index = lowerBound(entry.key, prefix)
            position += index
            if has(entry.key, at: index) {
                replaced = self.entry(atIndex: index)
                items[index].object = entry
                return nil
            }
            insert(ResultNodeItem(entry), at: index)
            return split()
        }
        let index = indexOfChild(entry.key, prefix)
        position += countOfEntries(before: index)
        let sibling = ownChild(at: index).put(entry, prefix, &position, replaced: &replaced)
        noteChange(at: index)
        guard let sibling else { return nil }
        insert(ResultNodeItem(sibling), at: index + 1)
        return split()
    }

    /// Removes the entry with a key from a node that is uniquely referenced, and returns it if there was one.
    ///
    /// The position grows by the number of entries before it.
    func remove(_ key: OrderKey, _ prefix: UInt64, _ position: inout Int) -> ResultEntry? {
        if isLeaf {
            let index = lowerBound(key, prefix)
            position += index
            guard has(key, at: index) else { return nil }
            return unsafeDowncast(removeItem(at: index).object, to: ResultEntry.self)
        }
        let index = indexOfChild(key, prefix)
        position += countOfEntries(before: index)
        let child = ownChild(at: index)
        guard let removed = child.remove(key, prefix, &position) else { return nil }
        if child.itemCount == 0 {
            removeItem(at: index)
        } else {
            noteChange(at: index)
            if child.itemCount < Self.limit / 4 { mergeChild(at: index) }
        }
        return removed
    }

    /// Joins a child with a neighbour where both fit in one.
    private func mergeChild(at index: Int) {
        let left = index > 0 ? index - 1 : index
        guard left + 1 < itemCount else { return }
        let (first, second) = (child(at: left), child(at: left + 1))
        guard first.itemCount + second.itemCount <= Self.limit * 3 / 4 else { return }
        let merged = first.copy()
        for index in 0..<second.itemCount { merged.append(second.item(at: index)) }
        removeItem(at: left + 1)
        items[left].object = merged
        noteChange(at: left)
    }
}

/// The summary of a node's entries.
struct ResultNodeHeader {
    let isLeaf: Bool
    /// The number of entries or children that it has itself.
    var itemCount = 0
    /// The number of entries in and under the node.
    var count = 0

    init(isLeaf: Bool) {
        self.isLeaf = isLeaf
    }
}

/// One entry of a leaf, or one child of an inner node.
struct ResultNodeItem {
    /// The first bytes of the entry's key, or of that of the child's first entry.
    var prefix: UInt64
    /// The number of entries that it stands for.
    var count: Int
    /// A `ResultEntry` in a leaf, a `ResultNode` in an inner node.
    var object: AnyObject

    init(_ entry: ResultEntry) {
        prefix = entry.key.prefix
        count = 1
        object = entry
    }

    init(_ child: ResultNode) {
        prefix = child.item(at: 0).prefix
        count = child.count
        object = child
    }
}
