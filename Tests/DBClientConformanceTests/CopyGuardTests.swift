import DBClientCore
import DBClientSQL
import DBClientSQLite
import DBClientTesting
import Foundation
import Testing

/// What a copy does not take, and whom it does not trust.
@Suite("Copies of what should not be")
struct CopyGuardTests {
    private func expectRefusal(
        _ code: DBClientError.Code,
        from source: any DBClient
    ) async throws {
        let target = InMemoryDBClient()
        let error = await #expect(throws: DBClientError.self) {
            try await target.copy(Token.self, from: source)
        }
        #expect(error?.code == code)
        #expect(try await target.count(Token.all) == 0)
    }

    @Test("Text that another program wrote and no engine here takes is refused by its field")
    func foreignText() async throws {
        let source = try SQLDBClient.sqlite(.inMemory)
        try await source.insert(Token(key: "a", text: "fine"))
        try await source.execute("INSERT INTO \"Token\" VALUES ('b', 'x' || char(0) || 'y', 1.0)")
        try await expectRefusal(.invalidValue, from: source)
    }

    @Test("A key that another program wrote longer than any engine here takes is refused")
    func foreignKey() async throws {
        let source = try SQLDBClient.sqlite(.inMemory)
        try await source.insert(Token(key: "a", text: "fine"))
        let key = String(repeating: "k", count: 600)
        try await source.execute("INSERT INTO \"Token\" VALUES (\(key), 'x', 1.0)")
        try await expectRefusal(.invalidValue, from: source)
    }

    @Test("A table with more columns than the model has is refused by the column")
    func foreignColumn() async throws {
        let source = try SQLDBClient.sqlite(.inMemory)
        try await source.insert(Token(key: "a", text: "fine"))
        try await source.execute("ALTER TABLE \"Token\" ADD COLUMN extra TEXT")
        #expect(try await source.count(Token.all) == 1)
        let error = await #expect(throws: DBClientError.self) {
            try await InMemoryDBClient().copy(Token.self, from: source)
        }
        #expect(error?.code == .schemaMismatch)
        #expect(error?.field == "extra")
    }

    @Test(
        "A source that reads on a thread of its own is refused, since a write stays on its thread"
    )
    func otherThread() async throws {
        let store = InMemoryDBClient()
        try await store.insert(Token(key: "a", text: "fine"))
        try await expectRefusal(.unsupported, from: HoppingClient(base: store))
    }
}

/// Reads on another thread than its caller's.
private final class HoppingClient: DBClientDecorator {
    let base: any DBClient

    init(base: any DBClient) {
        self.base = base
    }

    func readBlocking<Value>(_ body: (any ReadTransaction) throws -> Value) throws -> Value {
        try withoutActuallyEscaping(body) { body in
            var result: Result<Value, any Error>?
            let errand = Errand { [base] in result = Result { try base.readBlocking(body) } }
            Thread.detachNewThread { errand.run() }
            errand.done.wait()
            return try result!.get()
        }
    }
}

/// Work for another thread, which keeps nothing of it.
private final class Errand: @unchecked Sendable {
    let done = DispatchSemaphore(value: 0)
    private var work: (() -> Void)?

    init(_ work: @escaping () -> Void) {
        self.work = work
    }

    func run() {
        work?()
        work = nil
        done.signal()
    }
}

@Stored private struct Token: Equatable {
    @PrimaryKey let key: String
    var text: String
    var weight: Double = 1
}
