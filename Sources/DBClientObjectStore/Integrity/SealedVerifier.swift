import CLMDB
import DBClientCore

/// Checks an encrypted store: that each sealed page is the one that is referred to, that every tree is in order and
/// counts what it has, that each page is used once, and that the tables are what the catalog says.
///
/// LMDB reads the pages, so its file was checked before.
struct SealedVerifier: TableContents {
    private let transaction: SealedTransaction
    private let tables: [String: MDB_dbi]
    private var unclaimed: Set<String>
    private var seen: Set<UInt64> = [0]

    var tableNames: Set<String> { Set(tables.keys) }

    /// Checks the store as a transaction sees it.
    static func verify(_ transaction: SealedTransaction) throws {
        var verifier = try SealedVerifier(transaction)
        try verifier.verifyTree(transaction.tablesTree()) { _, _ in }
        try verifier.verifyContent()
        guard verifier.unclaimed.isEmpty else {
            throw PageFile.damaged("A table belongs to nothing.")
        }
        guard try transaction.store.pageCount(transaction.handle) == verifier.seen.count else {
            throw PageFile.damaged("A sealed page belongs to nothing.")
        }
    }

    private init(_ transaction: SealedTransaction) throws {
        self.transaction = transaction
        let names = try transaction.tableNames()
        tables = Dictionary(
            try names.map { ($0, try transaction.openTable($0, 0)) },
            uniquingKeysWith: { first, _ in first }
        )
        unclaimed = Set(names)
    }

    mutating func walk(
        _ name: String,
        flags: Int32,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard let table = tables[name], unclaimed.remove(name) != nil else {
            throw PageFile.damaged("A table is missing.")
        }
        let tree = try transaction.tree(table)
        guard Int32(tree.flags) == flags, tree.name == name else {
            throw PageFile.damaged("A table is of another kind than its place asks for.")
        }
        try verifyTree(tree, body)
    }

    private mutating func verifyTree(
        _ tree: SealedTree,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var order = KeyOrder(Int32(tree.flags))
        var count = 0
        if tree.rootReference.number != 0 {
            let page = try load(tree.rootReference)
            guard page.level == tree.depth - 1 else { throw Self.damagedTree() }
            count = try verify(page, tree, &order, body)
        }
        guard count == tree.entryCount else { throw Self.damagedTree() }
    }

    /// Checks a page and what is below it, and returns how many entries that is.
    private mutating func verify(
        _ page: SealedPage,
        _ tree: SealedTree,
        _ order: inout KeyOrder,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws -> Int {
        var count = 0
        for index in 0..<page.count {
            let key = page.key(index).bytes
            if page.isLeaf {
                if page.hasValueElsewhere(index) {
                    let target = page.target(index)
                    try use(target.number)
                    let value = try transaction.store.loadValue(
                        transaction.handle,
                        target,
                        size: page.valueSize(index)
                    )
                    try order.take(
                        .entry(key: key, value: UnsafeRawBufferPointer(value.bytes))
                    )
                    try body(key, UnsafeRawBufferPointer(value.bytes))
                } else {
                    let value = page.value(index).bytes
                    try order.take(.entry(key: key, value: value))
                    try body(key, value)
                }
                count += 1
            } else {
                // The first has no key of its own.
                if index > 0 {
                    let value = tree.order.hasSeveralValues ? page.value(index).bytes : nil
                    try order.take(.bound(key: key, value: value))
                }
                let child = try load(page.target(index))
                guard child.level == page.level - 1 else { throw Self.damagedTree() }
                let below = try verify(child, tree, &order, body)
                guard below == page.countBelow(index) else { throw Self.damagedTree() }
                count += below
            }
        }
        return count
    }

    /// Reads a page from the file, whether or not it was opened before.
    private mutating func load(_ reference: PageReference) throws -> SealedPage {
        try use(reference.number)
        return try transaction.store.loadPage(transaction.handle, reference)
    }

    private mutating func use(_ number: UInt64) throws {
        guard seen.insert(number).inserted else {
            throw PageFile.damaged("A sealed page is used twice.")
        }
    }

    private static func damagedTree() -> DBClientError {
        PageFile.damaged("A tree of sealed pages is damaged.")
    }
}
