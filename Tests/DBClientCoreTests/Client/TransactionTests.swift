import DBClientCore
import Foundation
import Testing

/// A body's own error.
private struct Refusal: Error {}

@Suite("Transactions of a client with an engine")
struct TransactionTests {
    private let client = FakeClient()
    private let heroes = (1...3).map { Character(identifier: $0, name: "Hero \($0)") }

    @Test("A transaction used after its body throws")
    func afterTheEnd() throws {
        var kept: (ReadTransaction)?
        try client.readBlocking { kept = $0 }
        let read = try #require(kept)
        #expect(failure { try read.fetch(Character.all) }?.code == .transactionEnded)
        #expect(failure { try read.find(Character.self, key: 1) }?.code == .transactionEnded)
        var outer: (WriteTransaction)?
        var nested: (WriteTransaction)?
        try client.writeBlocking { transaction in
            outer = transaction
            try transaction.write { nested = $0 }
            // The nested handle has ended, the outer one has not.
            #expect(
                failure { try nested?.insert(heroes) as Any }?.code == .transactionEnded
            )
            try transaction.insert(heroes)
        }
        #expect(failure { try outer?.insert(heroes) as Any }?.code == .transactionEnded)
        #expect(failure { try outer?.deleteAll(Character.self) as Any }?.code == .transactionEnded)
        #expect(try client.blocking.count(Character.all) == 3)
    }

    @Test("A throwing body undoes everything and its error comes through")
    func throwing() throws {
        #expect(throws: Refusal.self) {
            try client.writeBlocking { transaction in
                try transaction.insert(heroes)
                throw Refusal()
            }
        }
        #expect(try client.blocking.count(Character.all) == 0)
        #expect(client.fake.log == ["savepoint", "release", "rollback"])
    }

    @Test("A blocking call inside a body joins the transaction")
    func joining() throws {
        try client.writeBlocking { transaction in
            try transaction.insert(heroes)
            #expect(try client.blocking.count(Character.all) == 3)
            try client.blocking.delete(heroes[0])
            #expect(throws: Refusal.self) {
                try client.writeBlocking { inner in
                    try inner.deleteAll(Character.self)
                    throw Refusal()
                }
            }
            #expect(try transaction.count(Character.all) == 2)
        }
        #expect(try client.blocking.findAll(Character.self) == Array(heroes[1...]))
        #expect(client.fake.log.filter { $0 == "commit" }.count == 1)
    }

    @Test("A write inside a read of the same client is refused, inside one of another is not")
    func writeInRead() throws {
        let other = FakeClient()
        try client.readBlocking { _ in
            #expect(
                failure { try client.writeBlocking { _ in } }?.code == .invalidRequest
            )
            try other.blocking.insert(heroes)
            #expect(try client.blocking.count(Character.all) == 0)
        }
        #expect(try other.blocking.count(Character.all) == 3)
        // The read has ended, so a write may begin.
        try client.blocking.insert(heroes)
    }

    @Test("A task cancelled before or during the body writes nothing")
    func cancellation() async throws {
        let client = client
        let heroes = heroes
        let before = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await client.write { _ -> Void in Issue.record("The body runs.") }
        }
        let during = Task {
            try await client.write { transaction in
                try transaction.insert(heroes)
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        for result in [await before.result, await during.result] {
            let error = failure { try result.get() }
            #expect(error?.code == .cancelled)
        }
        #expect(try client.blocking.count(Character.all) == 0)
        #expect(client.fake.log.last == "rollback")
        let reading = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.count(Character.all)
        }
        let result = await reading.result
        #expect(failure { try result.get() }?.code == .cancelled)
    }

    @Test(
        "What made a transaction fail is what is thrown, and a lost one is not rolled back in part"
    )
    func lostTransaction() throws {
        let writer = client.fake.begin()
        let failing = FailingClient(failing: FailingEngine(writer))
        #expect(throws: Refusal.self) {
            try failing.writeBlocking { transaction in
                try transaction.write { _ in
                    writer.hasFailed = true
                    throw Refusal()
                }
            }
        }
        #expect(writer.log == ["savepoint"])
    }
}

/// Hands out one writer.
private final class FailingEngine: Engine, @unchecked Sendable {
    let writer: FakeWriter
    init(_ writer: FakeWriter) { self.writer = writer }
    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        try body(writer)
    }
    func writeBlocking<Value>(_ body: (any EngineWriter) throws -> Value) throws -> Value {
        try body(writer)
    }
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value {
        try body(writer)
    }
    func close() throws {}
}

private struct FailingClient: EngineBackedClient {
    let failing: FailingEngine
    var engine: any Engine { failing }
}
