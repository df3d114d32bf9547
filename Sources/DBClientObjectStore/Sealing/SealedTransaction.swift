import CLMDB
import DBClientCore
import Synchronization

/// What a transaction of an encrypted store reads and writes: trees of sealed pages, each of which is a value of one
/// table of LMDB's.
///
/// Each page is authenticated by its tag, which stands where the page is referred to, up to the root's in a record of
/// the commit: so no page can be exchanged for another one, or for an older version of itself. A page keeps its number;
/// which version of it a reader sees is LMDB's snapshot. What a transaction changes are copies of its own, which are
/// sealed when it commits. One within another has copies of copies.
final class SealedTransaction {
    let store: SealedStore
    let handle: OpaquePointer
    let parent: SealedTransaction?
    let isWriting: Bool
    /// Whose pages may be changed; different for each transaction.
    let id: UInt64
    @exclusivity(unchecked) private var root = SealedRoot()
    @exclusivity(unchecked) private var isLoaded = false
    /// LMDB's number of the snapshot that is loaded.
    @exclusivity(unchecked) private var number: UInt64 = 0
    /// The table of tables, and the tables that were asked for, by their numbers.
    @exclusivity(unchecked) private var tables: SealedTree?
    @exclusivity(unchecked) var trees: [SealedTree?] = []
    @exclusivity(unchecked) var tableCount = 0
    @exclusivity(unchecked) var nextPage: UInt64 = 1
    /// The pages and values that the transaction has changed, by their numbers.
    @exclusivity(unchecked) var dirty: [UInt64: SealedPage] = [:]
    /// The numbers that it uses no more.
    @exclusivity(unchecked) var freed = Set<UInt64>()
    /// The tags of the versions of pages that no snapshot from its commit on refers to.
    @exclusivity(unchecked) var replaced: [PageTag] = []
    /// What bytes were lent of, which stay where they are.
    @exclusivity(unchecked) private var pins: [SealedPage] = []
    @exclusivity(unchecked) private var lastPin: UnsafeMutableRawPointer?
    /// The path of calls that have no cursor.
    let path = TreePath()

    private static let lastID = Atomic<UInt64>(0)

    init(
        _ store: SealedStore,
        _ handle: OpaquePointer,
        isWriting: Bool,
        within parent: SealedTransaction? = nil
    ) {
        self.store = store
        self.handle = handle
        self.isWriting = isWriting
        self.parent = parent
        id = Self.lastID.add(1, ordering: .relaxed).newValue
    }

    // MARK: Snapshot

    @inline(__always)
    func load() throws {
        if !isLoaded { try loadSnapshot() }
    }

    @inline(never)
    private func loadSnapshot() throws {
        if let parent {
            try parent.load()
            root = parent.root
            tableCount = parent.tableCount
            nextPage = parent.nextPage
        } else {
            let current = store.number(handle)
            if !isWriting, current == number, tables != nil {
                isLoaded = true
                return
            }
            root = try store.root(handle, isWriting ? nil : current)
            number = current
            tableCount = root.tableCount
            nextPage = root.nextPage
            tables = nil
            trees.removeAll(keepingCapacity: true)
        }
        isLoaded = true
    }

    /// Lets the snapshot go; what is known of it is kept, should the next be the same.
    func reset() {
        isLoaded = false
        pins.removeAll(keepingCapacity: true)
        lastPin = nil
    }

    /// Returns the table that has a record for each other table, with what this transaction has changed in it.
    func tablesTree() throws -> SealedTree {
        try load()
        if let tables { return tables }
        let tree = try parent.map { SealedTree(copying: try $0.tablesTree()) } ?? root.tablesTree()
        tables = tree
        return tree
    }

    /// Returns a table by its number.
    @inline(__always)
    func tree(_ table: MDB_dbi) throws -> SealedTree {
        try load()
        let place = Int(table)
        if place < trees.count, let tree = trees[place] { return tree }
        return try loadTree(table)
    }

    @inline(never)
    private func loadTree(_ table: MDB_dbi) throws -> SealedTree {
        if table == SealedTree.tablesTable { return try tablesTree() }
        guard knows(table) else { throw DBClientError.lmdb(MDB_BAD_DBI) }
        let tree: SealedTree
        if let parent {
            tree = SealedTree(copying: try parent.tree(table))
        } else {
            let found = try Self.withKey(of: table) { key in
                try get(tablesTree(), key).flatMap { SealedTree(table, coded: $0.bytes) }
            }
            guard let found else { throw SealedStore.damaged() }
            tree = found
        }
        keep(tree)
        return tree
    }

    private func keep(_ tree: SealedTree) {
        while trees.count <= Int(tree.table) { trees.append(nil) }
        trees[Int(tree.table)] = tree
    }

    // MARK: Tables

    /// Whether there is a table with a number.
    func knows(_ table: MDB_dbi) -> Bool {
        guard (try? load()) != nil else { return false }
        return Int(table) < tableCount + Self.firstTable
    }

    /// The first table's number; before it are LMDB's list of free pages and the table of tables.
    private static let firstTable = 2

    /// Returns the number of a table, which is made where there is none if the flags say so.
    func openTable(_ name: String, _ flags: UInt32) throws -> MDB_dbi {
        let tables = try tablesTree()
        let key = Array("n".utf8) + Array(name.utf8)
        let found: MDB_dbi? = try key.withUnsafeBytes { key in
            try get(tables, MDB_val(key)).map { value in
                guard value.mv_size == 4 else { throw SealedStore.damaged() }
                return value.bytes.loadUnaligned(as: MDB_dbi.self)
            }
        }
        if let found { return found }
        guard flags & UInt32(MDB_CREATE) != 0, isWriting else {
            throw DBClientError.lmdb(MDB_NOTFOUND)
        }
        let table = MDB_dbi(tableCount + Self.firstTable)
        tableCount += 1
        let tree = SealedTree(table, name: name, flags: flags & 0xFFFF)
        tree.isChanged = true
        keep(tree)
        try key.withUnsafeBytes { key in
            try withUnsafeBytes(of: table) { _ = try put(tables, MDB_val(key), MDB_val($0)) }
        }
        try writeDescription(of: tree)
        return table
    }

    /// Returns the names of all tables in the order of their bytes, as this transaction sees them.
    func tableNames() throws -> [String] {
        let cursor = SealedCursor(self, try tablesTree())
        var names: [String] = []
        var key = MDB_val()
        var value = MDB_val()
        while try cursor.move(MDB_NEXT, &key, &value) {
            guard key.bytes.first == UInt8(ascii: "n") else { continue }
            names.append(String(decoding: key.bytes.dropFirst(), as: UTF8.self))
        }
        return names
    }

    func statistics(of table: MDB_dbi) throws -> MDB_stat {
        let tree = try tree(table)
        var statistics = MDB_stat()
        statistics.ms_psize = UInt32(SealedPage.memorySize)
        statistics.ms_depth = UInt32(tree.depth)
        statistics.ms_branch_pages = tree.branchCount
        statistics.ms_leaf_pages = tree.leafCount
        statistics.ms_overflow_pages = tree.valuePageCount
        statistics.ms_entries =
            table == SealedTree.tablesTable ? tableCount : tree.entryCount
        return statistics
    }

    private static func withKey<Value>(
        of table: MDB_dbi,
        _ body: (MDB_val) throws -> Value
    ) rethrows -> Value {
        var key = [UInt8(ascii: "t")]
        withUnsafeBytes(of: table.bigEndian) { key.append(contentsOf: $0) }
        return try key.withUnsafeBytes { try body(MDB_val($0)) }
    }

    private func writeDescription(of tree: SealedTree) throws {
        let tables = try tablesTree()
        try tree.coded.withUnsafeBytes { coded in
            try Self.withKey(of: tree.table) { _ = try put(tables, $0, MDB_val(coded)) }
        }
    }

    // MARK: Pages

    /// Returns a page that is referred to.
    @inline(__always)
    func page(_ reference: PageReference) throws -> SealedPage {
        if reference.isUnsealed { return try unsealed(reference.number) }
        if let page = store.cache.page(reference.tag), page.number == reference.number {
            return page
        }
        return try store.loadPage(handle, reference)
    }

    /// Returns a page or a value that this transaction or one around it has changed.
    private func unsealed(_ number: UInt64) throws -> SealedPage {
        var transaction: SealedTransaction? = self
        while let current = transaction {
            if let page = current.dirty[number] { return page }
            transaction = current.parent
        }
        throw DBClientError(.engine, "A page that was changed is missing.")
    }

    @inline(__always)
    func root(of tree: SealedTree) throws -> SealedPage? {
        if let root = tree.root { return root }
        if tree.rootReference.number == 0 { return nil }
        let root = try page(tree.rootReference)
        tree.root = root
        return root
    }

    /// Returns the value of an entry of a leaf, whose bytes stay where they are until the transaction ends or writes.
    @inline(__always)
    func value(_ page: SealedPage, _ index: Int) throws -> MDB_val {
        if !page.hasValueElsewhere(index) { return page.value(index) }
        return try valueElsewhere(page, index)
    }

    @inline(never)
    private func valueElsewhere(_ page: SealedPage, _ index: Int) throws -> MDB_val {
        let reference = page.target(index)
        let value =
            try reference.isUnsealed
            ? unsealed(reference.number)
            : store.loadValue(handle, reference, size: page.valueSize(index))
        pins.append(value)
        lastPin = nil
        return MDB_val(value.base, value.size)
    }

    // MARK: Lent bytes

    /// Keeps a page until the transaction ends.
    @inline(__always)
    func pin(_ page: SealedPage) {
        if lastPin == page.base { return }
        lastPin = page.base
        pins.append(page)
    }

    /// How many pages are kept, to go back to.
    var pinCount: Int { pins.count }

    /// Lets go of what was lent since, but for the last: what follows may be read from the same page.
    func unpin(to count: Int) {
        guard pins.count > count + Self.keptPins else { return }
        pins.removeSubrange(count..<pins.count - Self.keptPins)
    }

    /// Lets go of all that was lent since.
    func release(to count: Int) {
        guard pins.count > count else { return }
        pins.removeSubrange(count...)
        lastPin = nil
    }

    /// A leaf of an index, one of the table, and a value.
    private static let keptPins = 4

    // MARK: Reading

    /// Returns the (first) value of a key, or nil.
    @inline(__always)
    func get(_ tree: SealedTree, _ key: MDB_val) throws -> MDB_val? {
        guard var page = try root(of: tree) else { return nil }
        let probe = TreeProbe(key: key, side: tree.order.hasSeveralValues ? .before : .value)
        while !page.isLeaf { page = try self.page(page.target(page.childIndex(probe, tree.order))) }
        let (index, isEqual) = page.lowerBound(probe, tree.order)
        if tree.order.hasSeveralValues {
            let cursor = SealedCursor(self, tree)
            var key = key
            var value = MDB_val()
            return try cursor.move(MDB_SET, &key, &value) ? value : nil
        }
        guard isEqual else { return nil }
        pin(page)
        return try value(page, index)
    }

    // MARK: End

    /// Makes what a transaction within another has done that one's.
    func mergeIntoParent() {
        guard let parent, isLoaded else { return }
        for (number, page) in dirty {
            page.owner = parent.id
            parent.dirty[number] = page
        }
        for number in freed {
            parent.dirty[number] = nil
            parent.freed.insert(number)
        }
        parent.replaced += replaced
        parent.nextPage = nextPage
        parent.tableCount = tableCount
        if let tables, tables.isChanged { parent.takeTables(tables) }
        for case .some(let tree) in trees where tree.isChanged { parent.take(tree) }
        parent.pins += pins
        parent.lastPin = nil
    }

    private func takeTables(_ other: SealedTree) {
        guard let tables else { return }
        tables.take(other)
        tables.isChanged = true
    }

    private func take(_ other: SealedTree) {
        if Int(other.table) < trees.count, let own = trees[Int(other.table)] {
            own.take(other)
            own.isChanged = true
        } else {
            keep(other)
            other.version += 1
        }
    }

    /// Whether there is something to seal: pages written or freed, or a table that was made, changed or dropped.
    var hasChanges: Bool {
        isLoaded && (!dirty.isEmpty || !freed.isEmpty || trees.contains { $0?.isChanged == true })
    }

    /// Seals what was changed and hands it to LMDB, which has yet to commit; returns what the cache may have then.
    func sealChanges() throws -> [SealedPage] {
        guard hasChanges else { return [] }
        var sealed: [SealedPage] = []
        let tables = try tablesTree()
        for case .some(let tree) in trees where tree.isChanged {
            try seal(tree, &sealed)
            try writeDescription(of: tree)
        }
        try seal(tables, &sealed)
        for number in freed where number < root.nextPage { try store.deletePage(handle, number) }
        let next = SealedRoot(
            tables: tables,
            tableCount: tableCount,
            nextPage: nextPage,
            commitCount: root.commitCount + 1
        )
        try store.writeRoot(handle, next)
        return sealed
    }

    private func seal(_ tree: SealedTree, _ sealed: inout [SealedPage]) throws {
        guard let root = tree.root else {
            return
        }
        if root.owner != 0 { try seal(root, &sealed) }
        tree.rootReference = PageReference(number: root.number, tag: root.tag)
    }

    private func seal(_ page: SealedPage, _ sealed: inout [SealedPage]) throws {
        for index in 0..<page.count where page.flags(index) & EntryFlag.unsealed != 0 {
            let child = try unsealed(page.target(index).number)
            if page.isLeaf {
                child.tag = try store.write(handle, child, .value(child.number))
                child.owner = 0
            } else {
                try seal(child, &sealed)
            }
            page.setTag(index, child.tag)
        }
        page.tag = try store.write(handle, page, .page(page.number))
        page.owner = 0
        sealed.append(page)
    }
}
