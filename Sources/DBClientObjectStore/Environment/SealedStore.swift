import CLMDB
import DBClientCore
import Synchronization

/// What all transactions of an encrypted store share: its keys, the table of its pages, and the pages that are opened.
final class SealedStore: @unchecked Sendable {
    let keys: SealingKeys
    let cache = PageCache(size: 64 << 20)
    /// LMDB's table of the sealed pages and values by their numbers; 0 is the record of the commit.
    private let pages: MDB_dbi
    /// LMDB's table with the header of the store.
    private let header: MDB_dbi
    /// The last record that was opened, and the number of a snapshot that has it.
    private let last = UnfairMutex((root: SealedRoot(), number: UInt64(0)))

    static let pagesTable = "pages"
    static let pagesFlags = MDB_INTEGERKEY

    init(_ keys: SealingKeys, pages: MDB_dbi, header: MDB_dbi) {
        self.keys = keys
        self.pages = pages
        self.header = header
    }

    /// Overwrites the keys and what was opened with them, once no transaction runs.
    func close() {
        keys.forget()
        cache.removeAll()
        last.withLock { $0 = (SealedRoot(), 0) }
    }

    static func damaged() -> DBClientError {
        DBClientError(
            .corrupt,
            "The encrypted store was damaged or changed by another program.",
            hint: "Restore it from a backup."
        )
    }

    // MARK: Root

    /// Returns what a snapshot leads to.
    ///
    /// - Parameters:
    ///   - handle: The transaction.
    ///   - number: The snapshot's number; nil in a transaction that writes, which has none yet.
    /// - Returns: What the commit's record says.
    /// - Throws: `.corrupt`.
    func root(_ handle: OpaquePointer, _ number: UInt64?) throws -> SealedRoot {
        if let number {
            let known = last.withLock { $0.number == number ? $0.root : nil }
            if let known { return known }
        }
        let sealed = try bytes(handle, 0)
        let tag = SealingKeys.tag(of: sealed)
        let known = last.withLock { last -> SealedRoot? in
            guard last.number != 0, last.root.tag == tag else { return nil }
            if let number { last.number = max(number, last.number) }
            return last.root
        }
        if let known { return known }
        var text = [UInt8](repeating: 0, count: SealedRoot.size)
        let isOpen = try text.withUnsafeMutableBytes {
            try keys.open(sealed, SealedPlace.root, into: $0)
        }
        guard isOpen, let root = text.withUnsafeBytes({ SealedRoot($0, tag) }) else {
            throw Self.damaged()
        }
        // A later snapshot has the record of a later commit, not of one that was put back.
        let isPutBack = last.withLock { last in
            last.number != 0 && number.map { $0 >= last.number } ?? true
                && root.commitCount < last.root.commitCount
        }
        if isPutBack { throw Self.damaged() }
        if let number { last.withLock { if $0.number < number { $0 = (root, number) } } }
        return root
    }

    func writeRoot(_ handle: OpaquePointer, _ root: SealedRoot) throws {
        let target = try reserve(handle, 0, SealedRoot.size + SealingKeys.overhead)
        _ = try root.coded.withUnsafeBytes { try keys.seal($0, .root, into: target) }
    }

    // MARK: Pages

    func loadPage(_ handle: OpaquePointer, _ reference: PageReference) throws -> SealedPage {
        let page = SealedPage(number: reference.number)
        try open(handle, reference, .page(reference.number), page)
        guard page.isSound else { throw Self.damaged() }
        return cache.insert(page)
    }

    func loadValue(
        _ handle: OpaquePointer,
        _ reference: PageReference,
        size: Int
    ) throws -> SealedPage {
        let sealed = try bytes(handle, reference.number)
        guard sealed.count == size + SealingKeys.overhead else { throw Self.damaged() }
        let value = SealedPage(number: reference.number, size: size)
        try open(handle, reference, .value(reference.number), value)
        return value
    }

    private func open(
        _ handle: OpaquePointer,
        _ reference: PageReference,
        _ place: SealedPlace,
        _ page: SealedPage
    ) throws {
        let sealed = try bytes(handle, reference.number)
        // Of all versions of the page it is the one that is referred to.
        guard SealingKeys.tag(of: sealed) == reference.tag,
            try keys.open(sealed, place, into: page.bytes)
        else { throw Self.damaged() }
        page.tag = reference.tag
    }

    /// Seals a page or a value and hands it to LMDB; returns its tag.
    func write(
        _ handle: OpaquePointer,
        _ page: SealedPage,
        _ place: SealedPlace
    ) throws -> PageTag {
        let target = try reserve(handle, page.number, page.size + SealingKeys.overhead)
        return try keys.seal(UnsafeRawBufferPointer(page.bytes), place, into: target)
    }

    // MARK: LMDB

    /// Returns LMDB's number of a transaction: that of its snapshot for a reader, that of the next commit for a writer.
    @inline(__always)
    func number(_ handle: OpaquePointer) -> UInt64 {
        UInt64(bitPattern: Int64(mdb_txn_id(handle)))
    }

    private func bytes(_ handle: OpaquePointer, _ number: UInt64) throws -> UnsafeRawBufferPointer {
        var number = number
        return try withUnsafeMutableBytes(of: &number) { bytes in
            var key = MDB_val(UnsafeRawBufferPointer(bytes))
            var value = MDB_val()
            let code = mdb_get(handle, pages, &key, &value)
            if code == MDB_NOTFOUND { throw Self.damaged() }
            try check(code)
            return value.bytes
        }
    }

    private func reserve(
        _ handle: OpaquePointer,
        _ number: UInt64,
        _ size: Int
    ) throws -> UnsafeMutableRawBufferPointer {
        var number = number
        return try withUnsafeMutableBytes(of: &number) { bytes in
            var key = MDB_val(UnsafeRawBufferPointer(bytes))
            var value = MDB_val(mv_size: size, mv_data: nil)
            try check(mdb_put(handle, pages, &key, &value, UInt32(MDB_RESERVE)))
            return UnsafeMutableRawBufferPointer(start: value.mv_data, count: size)
        }
    }

    /// Writes the bytes of a header under a key, in a transaction of LMDB that the caller commits.
    func write(_ bytes: [UInt8], _ handle: OpaquePointer, _ key: [UInt8]) throws {
        try key.withUnsafeBytes { key in
            try bytes.withUnsafeBytes { bytes in
                var key = MDB_val(key)
                var value = MDB_val(bytes)
                try check(mdb_put(handle, header, &key, &value, 0))
            }
        }
    }

    /// Reads the header in a transaction of LMDB's.
    func header(_ handle: OpaquePointer, _ key: [UInt8]) throws -> StoreHeader {
        try key.withUnsafeBytes { bytes in
            var key = MDB_val(bytes)
            var value = MDB_val()
            let code = mdb_get(handle, header, &key, &value)
            if code == MDB_NOTFOUND { throw StoreHeader.damaged() }
            try check(code)
            return try StoreHeader(value.bytes)
        }
    }

    /// How many sealed pages and values there are, with the record of the commit.
    func pageCount(_ handle: OpaquePointer) throws -> Int {
        var statistics = MDB_stat()
        try check(mdb_stat(handle, pages, &statistics))
        return statistics.ms_entries
    }

    func deletePage(_ handle: OpaquePointer, _ number: UInt64) throws {
        var number = number
        try withUnsafeMutableBytes(of: &number) { bytes in
            var key = MDB_val(UnsafeRawBufferPointer(bytes))
            let code = mdb_del(handle, pages, &key, nil)
            if code == MDB_NOTFOUND { throw Self.damaged() }
            try check(code)
        }
    }
}
