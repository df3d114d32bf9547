import CLMDB
import DBClientCore
import Foundation
import Synchronization

/// The map of an environment's file, and how it grows.
///
/// LMDB unmaps the file before it maps it again, and has no map when the address space has no room for that:
/// any access to the store then ends the process. So the room is checked first.
final class StoreMap: Sendable {
    private nonisolated(unsafe) let environment: OpaquePointer
    /// The address at which the map begins; 0 where that is unknown.
    private let start = Atomic<UInt>(0)
    private let hasFailed = Atomic(false)
    private let pageSize: UInt
    /// What the file said of the commit that this process looked at last.
    private let lastCommit = Mutex(CommitDescription())

    /// What is left for the rest of the process, and for what it maps between the look and the growth: two of
    /// the C library's arenas.
    private static let reserve = 128 << 20

    init(_ environment: OpaquePointer) {
        self.environment = environment
        pageSize = UInt(TableWalk.pageSize(of: environment))
        findStart()
        noteCommit()
    }

    // MARK: The last commit

    /// Whether the file has a commit after one with a number, in a transaction.
    ///
    /// It has one while a commit is being made, and after a process died while it made one.
    @inline(__always)
    func hasCommit(after number: UInt64) -> Bool {
        let start = start.load(ordering: .relaxed)
        guard let first = UnsafeRawPointer(bitPattern: start) else { return false }
        return max(
            CommitDescription.number(first),
            CommitDescription.number(first + Int(truncatingIfNeeded: pageSize))
        ) > number
    }

    /// Whether the newest commit that the file has is one with a number, and is described as it was when this
    /// process looked last; true where the file cannot be looked at.
    ///
    /// Asked while no process can commit.
    func holds(commit number: UInt64) -> Bool {
        guard let newest = newestCommit() else { return true }
        return lastCommit.withLock { last in
            if last.number == number { return last.isEqual(to: newest) }
            last.note(newest)
            return last.number == number
        }
    }

    /// Whether the file has lost a commit with a number, while other processes may commit.
    func hasLost(commit number: UInt64) -> Bool {
        guard let newest = newestCommit() else { return false }
        return lastCommit.withLock { last in
            let found = CommitDescription.number(newest)
            return found < number
                || found == number && last.number == number && !last.isEqual(to: newest)
        }
    }

    /// Notes the newest commit as it is described now.
    func noteCommit() {
        guard let newest = newestCommit() else { return }
        lastCommit.withLock { $0.note(newest) }
    }

    /// The meta page of the newest commit.
    private func newestCommit() -> UnsafeRawPointer? {
        guard let first = UnsafeRawPointer(bitPattern: start.load(ordering: .relaxed)) else {
            return nil
        }
        let second = first + Int(pageSize)
        return CommitDescription.number(first) > CommitDescription.number(second) ? first : second
    }

    // MARK: Growth

    /// Whether the map was lost all the same, and nothing may touch the store but to close it.
    var isLost: Bool { hasFailed.load(ordering: .relaxed) }

    /// Returns the size that the map is to have next.
    ///
    /// It is doubled, where there is no room for that grown by less.
    ///
    /// - Parameter isFull: Whether there is something to write that does not fit; otherwise the map need only
    ///   have what other processes have written.
    /// - Returns: The size; nil when what there is will do.
    /// - Throws: `.full` when the address space has no room.
    func nextSize(isFull: Bool) throws -> Int? {
        let size = try size()
        let needed = try neededSize()
        if !isFull, needed <= size { return nil }
        let base = max(size, needed)
        let sizes = [base * 2, base + base / 2, base + base / 4, base + base / 8]
        let found = (sizes + (isFull ? [] : [base])).map(Self.roundedUp)
            .first { hasRoom(for: $0, inPlaceOf: size) }
        guard let found else { throw Self.noRoom() }
        return found
    }

    /// Gives the map another size, while there is no transaction.
    ///
    /// - Throws: `.full` when the address space has no room.
    func resize(to next: Int) throws {
        guard hasRoom(for: next, inPlaceOf: try size()) else { throw Self.noRoom() }
        let code = mdb_env_set_mapsize(environment, next)
        if code != 0 {
            hasFailed.store(true, ordering: .relaxed)
            throw Self.lost()
        }
        findStart()
    }

    /// The size of the map, in bytes.
    private func size() throws -> Int { try information().me_mapsize }

    /// The size of what the file has by the newest commit, in bytes.
    private func neededSize() throws -> Int {
        var statistics = MDB_stat()
        try check(mdb_env_stat(environment, &statistics))
        let lastPage = try information().me_last_pgno
        guard (0..<StoreFile.pageLimit).contains(lastPage) else {
            throw DBClientError.lmdb(MDB_CORRUPTED)
        }
        return (lastPage + 1) * Int(statistics.ms_psize)
    }

    private func information() throws -> MDB_envinfo {
        var information = MDB_envinfo()
        try check(mdb_env_info(environment, &information))
        return information
    }

    /// Whether a map of some size has room once the present one is gone.
    ///
    /// That leaves its place free, so that what is missing may lie right beside it.
    private func hasRoom(for next: Int, inPlaceOf size: Int) -> Bool {
        if clmdb_has_room(0, next + Self.reserve) { return true }
        let start = start.load(ordering: .relaxed)
        let systemPage = max(sysconf(Int32(_SC_PAGESIZE)), 1)
        let taken = (size + systemPage - 1) / systemPage * systemPage
        let more = UInt(max(next - taken, 0) + Self.reserve)
        guard start > more else { return false }
        return clmdb_has_room(start - more, Int(more))
            || clmdb_has_room(start &+ UInt(taken), Int(more))
    }

    /// Finds out where the map begins: a key of the table of tables lies in a page, which begins with its own
    /// number.
    private func findStart() {
        start.store(Self.start(of: environment) ?? 0, ordering: .relaxed)
    }

    private static func start(of environment: OpaquePointer) -> UInt? {
        let pageSize = UInt(TableWalk.pageSize(of: environment))
        var transaction: OpaquePointer?
        guard pageSize > 0,
            mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction) == 0
        else { return nil }
        defer { mdb_txn_abort(transaction) }
        var tables = MDB_dbi()
        var opened: OpaquePointer?
        guard mdb_dbi_open(transaction, nil, 0, &tables) == 0,
            mdb_cursor_open(transaction, tables, &opened) == 0, let cursor = opened
        else { return nil }
        defer { mdb_cursor_close(cursor) }
        var key = MDB_val()
        var value = MDB_val()
        guard mdb_cursor_get(cursor, &key, &value, MDB_FIRST) == 0,
            let page = UnsafeRawPointer(
                bitPattern: UInt(bitPattern: key.mv_data) & ~(pageSize - 1)
            )
        else { return nil }
        let number = page.loadUnaligned(as: UInt.self)
        return UInt(bitPattern: page) &- number &* pageSize
    }

    /// A size that is a multiple of every system's pages.
    private static func roundedUp(_ size: Int) -> Int {
        (size + 0xFFFF) & ~0xFFFF
    }

    /// Returns the error of an address space that is used up.
    static func noRoom() -> DBClientError {
        DBClientError(
            .full,
            "The store's map has no room: the process has no address space left.",
            hint: "Give the process more of it (ulimit -v).",
            engineCode: .number(Int(ENOMEM))
        )
    }

    /// Returns the error of a store without a map.
    static func lost() -> DBClientError {
        DBClientError(
            .full,
            "The store lost its map when that had to grow: the process had no address space left.",
            hint: "Close every client of the store in this process and open it again.",
            engineCode: .number(Int(ENOMEM))
        )
    }
}

/// What a meta page says of its commit: the size of the map, the two trees, the last page and the commit's number.
private struct CommitDescription: Sendable {
    private(set) var number: UInt64 = 0
    private var bytes: [UInt8] = []

    private static let start = 32
    private static let size = 120
    private static let numberStart = 144

    /// Returns the number of the commit that a page describes.
    @inline(__always)
    static func number(_ page: UnsafeRawPointer) -> UInt64 {
        page.load(fromByteOffset: numberStart, as: UInt64.self)
    }

    mutating func note(_ page: UnsafeRawPointer) {
        number = Self.number(page)
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: Self.bytes(page))
    }

    func isEqual(to page: UnsafeRawPointer) -> Bool {
        bytes.withUnsafeBytes { compareKeys($0, Self.bytes(page)) == 0 }
    }

    private static func bytes(_ page: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: page + start, count: size)
    }
}
