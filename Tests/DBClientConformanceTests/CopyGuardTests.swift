import DBClientCore
import DBClientSQL
import DBClientSQLite
import DBClientTesting
import Foundation
import Testing

/// What a copy does not take, and which sources it does not trust.
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
        try await expectRefusal(.decoding, from: source)
    }

    @Test("A key that another program wrote longer than any engine here takes is refused")
    func foreignKey() async throws {
        let source = try SQLDBClient.sqlite(.inMemory)
        try await source.insert(Token(key: "a", text: "fine"))
        let key = String(repeating: "k", count: 600)
        try await source.execute("INSERT INTO \"Token\" VALUES (\(key), 'x', 1.0)")
        try await expectRefusal(.invalidValue, from: source)
    }

    @Test("A value that another program wrote and no model could is refused by its field")
    func foreignForm() async throws {
        let wrong = [
            ("at", "9223372036854775807"), ("at", "-300000000000000000"), ("id", "x'0102030405'"),
            ("worth", "x'02'"), ("worth", "x'028001000000'"), ("worth", "x'0280010B0100'"),
            ("worth", "x'02F0010B00'"), ("level", "128"), ("level", "-129"), ("count", "-1"),
            ("ratio", "0.1"),
        ]
        for (field, value) in wrong {
            let source = try SQLDBClient.sqlite(.inMemory)
            try await source.insert([Stamp(1), Stamp(2)])
            let target = InMemoryDBClient()
            try await target.copy(Stamp.self, from: source)
            #expect(try await target.findAll(Stamp.self) == [Stamp(1), Stamp(2)])
            try await target.deleteAll(Stamp.self)
            try await source.execute(
                "UPDATE \"Stamp\" SET \(identifier: field) = \(raw: value) WHERE \"key\" = 2"
            )
            let error = await #expect(throws: DBClientError.self, "\(field) = \(value)") {
                try await target.copy(Stamp.self, from: source)
            }
            #expect(error?.code == .invalidValue)
            #expect(error?.field == field)
            #expect(try await target.count(Stamp.all) == 0)
        }
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

    func readBlocking<Value>(_ body: (ReadTransaction) throws -> Value) throws -> Value {
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

@Stored private struct Stamp: Equatable {
    @PrimaryKey let key: Int
    var at: Date
    var id: UUID
    var worth: Decimal
    var debt: Decimal
    var level: Int8
    var count: UInt64
    var ratio: Float
    var mark: Bool?

    init(_ key: Int) {
        self.key = key
        at = Date(timeIntervalSince1970: Double(key) / 4)
        id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(key)))
        worth = Decimal(key) / 4
        debt = Decimal(string: "-1234567890123456789012345678901234567.8")!
        level = -128
        count = UInt64(Int64.max)
        ratio = 0.1
        mark = key == 1 ? nil : true
    }
}
