import DBClientCore
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import DBClientObjectStore

/// What threads that open stores at the same time wait for.
@Suite(.serialized) struct RegistryTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a body on threads of their own, each with its number, and returns when all have ended.
    private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let threads = DispatchGroup()
        for number in 0..<count {
            threads.enter()
            Thread.detachNewThread {
                body(number)
                threads.leave()
            }
        }
        threads.wait()
    }

    @Test("Threads that open a new store at once share it", arguments: [false, true])
    func sharedStore(isLinked: Bool) throws {
        let link = folder.url.appendingPathComponent("link")
        let real = folder.url.appendingPathComponent("real")
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
        for round in 0..<20 {
            let clients = Mutex<[ObjectStoreDBClient]>([])
            let failures = Mutex<[any Error]>([])
            onThreads(6) { number in
                let folder = isLinked && number.isMultiple(of: 2) ? link : real
                do {
                    let client = try ObjectStoreDBClient(
                        at: folder.appendingPathComponent("\(round).store")
                    )
                    try client.blocking.insert(Note(number, "note"))
                    clients.withLock { $0.append(client) }
                } catch {
                    failures.withLock { $0.append(error) }
                }
            }
            #expect(failures.withLock { $0.isEmpty }, "\(failures.withLock { $0 })")
            let opened = clients.withLock { $0 }
            #expect(Set(opened.map { ObjectIdentifier($0.session.engine) }).count == 1)
            #expect(try opened.first?.blocking.count(Note.all) == 6)
            for client in opened { try client.close() }
        }
    }

    #if Encryption
    private static let key = StoreKey.passphrase("a passphrase that takes a while")

    @Test("Other stores are opened while a key is derived", arguments: [false, true])
    func openedMeanwhile(isOpen: Bool) throws {
        let clock = ContinuousClock()
        let encrypted = folder.url.appendingPathComponent("encrypted.store")
        let first = try ObjectStoreDBClient(at: encrypted, key: Self.key)
        if !isOpen { try first.close() }
        @Sendable func openEncrypted() throws {
            try ObjectStoreDBClient(at: encrypted, key: Self.key).close()
        }
        let derivation = try min(clock.measure(openEncrypted), clock.measure(openEncrypted))
        let plain = folder.url.appendingPathComponent("plain.store")
        var shortest = Duration.seconds(1_000)
        // A machine with other work to do may stop any thread for that long, but hardly each time.
        for _ in 0..<10 where shortest >= derivation / 2 {
            let isOver = Atomic(false)
            let ended = DispatchSemaphore(value: 0)
            let result = Mutex<Result<Void, any Error>>(.success(()))
            Thread.detachNewThread {
                let opened = Result { try openEncrypted() }
                result.withLock { $0 = opened }
                isOver.store(true, ordering: .releasing)
                ended.signal()
            }
            var longest = Duration.zero
            while !isOver.load(ordering: .acquiring) {
                longest = max(
                    longest,
                    try clock.measure { try ObjectStoreDBClient(at: plain).close() }
                )
            }
            ended.wait()
            try result.withLock { try $0.get() }
            shortest = min(shortest, longest)
        }
        #expect(shortest < derivation / 2)
        if isOpen { try first.close() }
    }

    @Test func aClientWithAnotherKeyLeavesTheOthersAlone() throws {
        let encrypted = folder.url.appendingPathComponent("encrypted.store")
        let client = try ObjectStoreDBClient(at: encrypted, key: Self.key)
        try client.blocking.insert(Note(1, "one"))
        onThreads(4) { number in
            let other = StoreKey.passphrase("another passphrase \(number)")
            #expect(throws: DBClientError.self) {
                _ = try ObjectStoreDBClient(at: encrypted, key: other)
            }
        }
        #expect(try client.blocking.count(Note.all) == 1)
        try client.close()
        // The last client has closed the file, so that it can be opened with other options.
        let anew = try ObjectStoreDBClient(at: encrypted, key: Self.key, durability: .relaxed)
        #expect(try anew.blocking.count(Note.all) == 1)
        try anew.close()
    }
    #endif
}
