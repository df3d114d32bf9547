import CLMDB
import DBClientCore
import Foundation
import Testing
import TrustRow

@testable import DBClientObjectStore

/// Files at a store's places that are not this library's.
@Suite(.timeLimit(.minutes(15)), .counts(for: "R18", part: "object-store")) struct ForeignFileTests
{
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var lock: URL { URL(fileURLWithPath: folder.store.path + "-lock") }

    /// Has LMDB write a file with some tables, each with one pair, or with a pair in none.
    private func makeForeign(_ tables: [String]) throws {
        var environment: OpaquePointer?
        try check(mdb_env_create(&environment))
        defer { mdb_env_close(environment) }
        try check(mdb_env_set_maxdbs(environment, 8))
        let flags = UInt32(MDB_NOSUBDIR | MDB_NOLOCK)
        try check(mdb_env_open(environment, folder.store.path, flags, 0o600))
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, 0, &transaction))
        for name in tables.isEmpty ? [nil] : tables.map(Optional.some) {
            var table = MDB_dbi()
            try check(mdb_dbi_open(transaction, name, name == nil ? 0 : UInt32(MDB_CREATE), &table))
            // As long as the description of a table.
            try [UInt8](repeating: 7, count: 48).withUnsafeBytes { bytes in
                var key = MDB_val(UnsafeRawBufferPointer(rebasing: bytes.prefix(4)))
                var value = MDB_val(bytes)
                try check(mdb_put(transaction, table, &key, &value, 0))
            }
        }
        try check(mdb_txn_commit(transaction))
    }

    @Test(arguments: [
        [], ["users"], ["catalog"], ["catalog", "journal"], ["d0"], ["catalog", "x"],
    ])
    func aFileOfAnotherProgramsThatIsLMDBsIsRefused(tables: [String]) throws {
        try makeForeign(tables)
        let content = try Data(contentsOf: folder.store)
        #expect(error { _ = try ObjectStoreDBClient(at: folder.store) }?.code == .corrupt)
        #expect(error { try ObjectStoreDBClient.verify(at: folder.store) }?.code == .corrupt)
        #expect(try Data(contentsOf: folder.store) == content)
        #expect(!FileManager.default.fileExists(atPath: lock.path))
    }

    @Test(arguments: [false, true]) func aLinkAtThePlaceOfTheLocksIsNotFollowed(isOld: Bool) throws
    {
        if isOld { try ObjectStoreDBClient(at: folder.store).close() }
        try? FileManager.default.removeItem(at: lock)
        let victim = folder.url.appendingPathComponent("victim")
        for content in [nil, Data("keep this".utf8)] {
            try content?.write(to: victim)
            try? FileManager.default.removeItem(at: lock)
            try FileManager.default.createSymbolicLink(at: lock, withDestinationURL: victim)
            #expect(error { _ = try ObjectStoreDBClient(at: folder.store) }?.code == .permission)
            #expect((try? Data(contentsOf: victim)) == content)
        }
        #expect(FileManager.default.fileExists(atPath: folder.store.path) == isOld)
    }

    @Test(arguments: ["", "-lock"]) func aPipeIsNotWaitedFor(suffix: String) throws {
        #expect(mkfifo(folder.store.path + suffix, 0o600) == 0)
        let refusal = error { _ = try ObjectStoreDBClient(at: folder.store) }
        #expect(refusal?.code == .invalidRequest)
        try FileManager.default.removeItem(atPath: folder.store.path + suffix)
        try FileManager.default.createDirectory(
            atPath: folder.store.path + suffix,
            withIntermediateDirectories: false
        )
        #expect(error { _ = try ObjectStoreDBClient(at: folder.store) }?.code == .invalidRequest)
    }

    @Test(arguments: ["", "-lock"]) func aFileThatEveryUserMayWriteToIsRefused(
        suffix: String
    ) throws {
        try ObjectStoreDBClient(at: folder.store).close()
        let path = folder.store.path + suffix
        #expect(chmod(path, 0o666) == 0)
        let refusal = error { _ = try ObjectStoreDBClient(at: folder.store) }
        #expect(refusal?.code == .permission)
        #expect(refusal?.hint?.contains("chmod") == true)
        #expect(chmod(path, 0o664) == 0)
        try ObjectStoreDBClient(at: folder.store).close()
    }
}
