import CLMDB
import Foundation
import Testing

@testable import DBClientCore
@testable import DBClientObjectStore

#if Encryption
/// The trees of sealed pages, against sorted lists that the same is done to.
@Suite struct SealedTreeTests {
    /// A pair as the list has it.
    private struct Pair: Equatable {
        var key: [UInt8]
        var value: [UInt8]
    }

    /// An encrypted store without tables, by LMDB alone.
    private final class Store {
        let folder = try! TemporaryFolder()
        var handle: OpaquePointer
        var sealed: SealedStore
        let key = StoreKey.random()

        init() throws {
            (handle, sealed) = try Self.open(folder.store.path, key, isNew: true)
        }

        private static func open(
            _ path: String,
            _ key: StoreKey,
            isNew: Bool
        ) throws -> (OpaquePointer, SealedStore) {
            var created: OpaquePointer?
            try check(mdb_env_create(&created))
            let handle = try #require(created)
            try check(mdb_env_set_maxdbs(handle, 4))
            try check(mdb_env_set_mapsize(handle, 1 << 30))
            let flags = MDB_NOSUBDIR | MDB_NOTLS | MDB_NOSYNC
            try check(mdb_env_open(handle, path, UInt32(flags), 0o600))
            if isNew { try SealedStore.make(handle, key, tables: []) }
            return (
                handle, try #require(try SealedStore.open(handle, key, nil, tables: []))
            )
        }

        /// Forgets every page that was opened.
        func reopen() throws {
            mdb_env_close(handle)
            (handle, sealed) = try Self.open(folder.store.path, key, isNew: false)
        }

        deinit { mdb_env_close(handle) }

        func write<Value>(_ body: (Transaction) throws -> Value) throws -> Value {
            let transaction = try Transaction(writingTo: handle, sealed)
            let value: Value
            do { value = try body(transaction) } catch {
                transaction.abort()
                throw error
            }
            try transaction.commit()
            return value
        }

        func read<Value>(_ body: (Transaction) throws -> Value) throws -> Value {
            let transaction = try Transaction(reading: handle, sealed)
            defer { transaction.abort() }
            return try body(transaction)
        }
    }

    private static func with<Value>(
        _ bytes: [UInt8],
        _ body: (MDB_val) throws -> Value
    ) rethrows -> Value {
        try bytes.withUnsafeBytes { try body(MDB_val($0)) }
    }

    /// Every entry, forwards and backwards.
    private func entries(_ transaction: Transaction, _ table: MDB_dbi) throws -> [Pair] {
        func walk(_ operation: MDB_cursor_op) throws -> [Pair] {
            let cursor = try transaction.openCursor(table)
            defer { cursor.close() }
            var pairs: [Pair] = []
            var key = MDB_val()
            var value = MDB_val()
            while try cursor.move(operation, &key, &value) {
                pairs.append(Pair(key: Array(key.bytes), value: Array(value.bytes)))
            }
            return pairs
        }
        let pairs = try walk(MDB_NEXT)
        #expect(try walk(MDB_PREV) == pairs.reversed())
        #expect(try transaction.statistics(of: table).ms_entries == pairs.count)
        return pairs
    }

    private struct Random: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    @Test(arguments: 0..<24) func entriesAreThoseOfASortedList(seed: Int) throws {
        var random = Random(state: UInt64(seed))
        let store = try Store()
        let table = try store.write { try $0.openTable("t", UInt32(MDB_CREATE)) }
        var expected: [[UInt8]: [UInt8]] = [:]
        /// The keys that are there, in an order that the seed gives.
        var keys: [[UInt8]] = []
        let longest = [12, 200, 511][seed % 3]
        let largest = [30, 1_500, 9_000][seed / 3 % 3]
        let pattern = (0..<largest + 8).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        // A tree grows to some levels, and shrinks again.
        for round in 0..<8 {
            let growth = round < 4 ? 70 : 25
            var next = expected
            let keysBefore = keys
            let commits = random.next() % 4 != 0
            let transaction = try Transaction(writingTo: store.handle, store.sealed)
            for _ in 0..<400 {
                let count = Int.random(in: 1...longest, using: &random)
                let key = (0..<count).map { _ in UInt8.random(in: 97...99, using: &random) }
                if Int.random(in: 0..<100, using: &random) < growth {
                    let size = Int.random(in: 0...largest, using: &random)
                    let value = Array(pattern[round..<round + size])
                    let isNew = Bool.random(using: &random)
                    let isWritten = try Self.with(key) { key in
                        try Self.with(value) {
                            try transaction.put(table, key, $0, isNew ? MDB_NOOVERWRITE : 0)
                        }
                    }
                    #expect(isWritten == (!isNew || next[key] == nil))
                    if isWritten, next.updateValue(value, forKey: key) == nil { keys.append(key) }
                } else {
                    var gone = key
                    if let index = keys.indices.randomElement(using: &random) {
                        keys.swapAt(index, keys.count - 1)
                        gone = keys.removeLast()
                    }
                    let isThere = try Self.with(gone) { try transaction.delete(table, $0) }
                    #expect(isThere == (next.removeValue(forKey: gone) != nil))
                }
            }
            if commits {
                try transaction.commit()
                expected = next
            } else {
                transaction.abort()
                keys = keysBefore
            }
            if round % 2 == 1 { try store.reopen() }
            let pairs = expected.map { Pair(key: $0.key, value: $0.value) }
                .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            try store.read { transaction in
                #expect(try entries(transaction, table) == pairs)
                for pair in pairs.prefix(50) {
                    let found = try Self.with(pair.key) {
                        try transaction.get(table, $0).map { Array($0.bytes) }
                    }
                    #expect(found == pair.value)
                }
            }
        }
        try store.write { try $0.empty(table) }
        #expect(try store.read { try entries($0, table) }.isEmpty)
    }

    @Test(arguments: 0..<12) func valuesOfOneKeyAreInOrder(seed: Int) throws {
        var random = Random(state: UInt64(seed) &+ 1_000)
        let store = try Store()
        let hasIntegers = seed % 2 == 0
        let flags =
            MDB_CREATE | MDB_DUPSORT | (hasIntegers ? MDB_DUPFIXED | MDB_INTEGERDUP : 0)
        let table = try store.write { try $0.openTable("t", UInt32(flags)) }
        var expected: [[UInt8]: [UInt64]] = [:]
        for round in 0..<6 {
            try store.write { transaction in
                for _ in 0..<600 {
                    let key = Array("key\(Int.random(in: 0..<9, using: &random))".utf8)
                    let number = UInt64.random(in: 0..<2_000, using: &random)
                    // As bytes they are in the order of numbers when the greatest comes first.
                    let value = withUnsafeBytes(
                        of: hasIntegers ? number : number.bigEndian
                    ) { Array($0) }
                    let cursor = try transaction.openCursor(table)
                    defer { cursor.close() }
                    try Self.with(key) { key in
                        try Self.with(value) { value in
                            if round < 3 || number % 3 == 0 {
                                _ = try cursor.put(key, value)
                            } else if try cursor.find(key, value) {
                                try cursor.delete()
                            }
                        }
                    }
                    var values = expected[key] ?? []
                    if round < 3 || number % 3 == 0 {
                        if !values.contains(number) { values.append(number) }
                    } else {
                        values.removeAll { $0 == number }
                    }
                    expected[key] = values.isEmpty ? nil : values
                }
            }
            try store.read { transaction in
                let cursor = try transaction.openCursor(table)
                defer { cursor.close() }
                var key = MDB_val()
                var value = MDB_val()
                var keys: [String] = []
                while try cursor.move(MDB_NEXT_NODUP, &key, &value) {
                    let name = Array(key.bytes)
                    keys.append(String(decoding: name, as: UTF8.self))
                    var found: [UInt64] = []
                    let walk = try transaction.openCursor(table)
                    defer { walk.close() }
                    var isThere = try Self.with(name) {
                        var (key, value) = ($0, MDB_val())
                        let isThere = try walk.move(MDB_SET_KEY, &key, &value)
                        found.append(value.bytes.loadUnaligned(as: UInt64.self))
                        return isThere
                    }
                    #expect(try walk.valueCount() == expected[name]?.count)
                    while isThere {
                        var (key, value) = (MDB_val(), MDB_val())
                        isThere = try walk.move(MDB_NEXT_DUP, &key, &value)
                        if isThere { found.append(value.bytes.loadUnaligned(as: UInt64.self)) }
                    }
                    if !hasIntegers { found = found.map { UInt64(bigEndian: $0) } }
                    #expect(found == expected[name]?.sorted())
                }
                #expect(keys == expected.keys.map { String(decoding: $0, as: UTF8.self) }.sorted())
                var backwards: [String] = []
                while try cursor.move(
                    backwards.isEmpty ? MDB_LAST : MDB_PREV_NODUP,
                    &key,
                    &value
                ) { backwards.append(String(decoding: key.bytes, as: UTF8.self)) }
                #expect(backwards == keys.reversed())
            }
        }
    }

    @Test(arguments: 0..<8) func transactionsWithinOthersAreUndone(seed: Int) throws {
        var random = Random(state: UInt64(seed) &+ 2_000)
        let store = try Store()
        let table = try store.write { try $0.openTable("t", UInt32(MDB_CREATE)) }
        var expected: [UInt64: UInt64] = [:]
        func change(_ transaction: Transaction, _ content: inout [UInt64: UInt64]) throws {
            for _ in 0..<60 {
                let number = UInt64.random(in: 0..<900, using: &random)
                try withNumber(number) { key in
                    if number % 3 == 1, content[number] != nil {
                        content[number] = nil
                        try transaction.delete(table, key)
                    } else {
                        let value = random.next()
                        content[number] = value
                        try withUnsafeBytes(of: value) {
                            _ = try transaction.put(table, key, MDB_val($0))
                        }
                    }
                }
            }
        }
        func nest(
            _ transaction: Transaction,
            _ content: inout [UInt64: UInt64],
            _ depth: Int
        ) throws {
            try change(transaction, &content)
            for _ in 0..<3 where depth > 0 {
                let inner = try Transaction(within: transaction, store.handle)
                var changed = content
                try nest(inner, &changed, depth - 1)
                if Bool.random(using: &random) {
                    try inner.commit()
                    content = changed
                } else {
                    inner.abort()
                }
                try change(transaction, &content)
            }
        }
        for _ in 0..<3 {
            var content = expected
            try store.write { try nest($0, &content, 3) }
            expected = content
            try store.reopen()
            let found = try store.read { try entries($0, table) }
            let numbers = found.map {
                $0.key.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
            }
            #expect(numbers == expected.keys.sorted())
            let values = found.map {
                $0.value.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
            }
            #expect(values == expected.sorted { $0.key < $1.key }.map(\.value))
        }
    }
}
#endif
