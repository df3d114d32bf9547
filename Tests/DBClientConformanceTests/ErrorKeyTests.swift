import DBClientCore
import DBClientTesting
import Testing

/// Which row an error is about, as embedded engines know it.
///
/// A server tells the values that are taken, not the key of the row that was to have them.
@Suite struct ErrorKeyTests {
    @Stored fileprivate struct Member: Equatable {
        let id: Int
        @Unique var code: String?

        init(_ id: Int, _ code: String?) {
            self.id = id
            self.code = code
        }
    }

    @Test(arguments: Backends.chosen.filter { $0.name != "PostgreSQL" })
    func aTakenUniqueValueNamesTheRowThatWasToHaveIt(_ backend: ConformanceBackend) async throws {
        let store = try backend.makeStore()
        let client = try await store.open()
        try await client.insert([Member(1, "taken"), Member(2, "b"), Member(3, nil)])
        let calls: [@Sendable (WriteTransaction) throws -> Void] = [
            { _ = try $0.insert([Member(4, "d"), Member(5, "taken")]) },
            { _ = try $0.upsert([Member(4, "d"), Member(5, "taken")]) },
            { _ = try $0.upsert([Member(5, "taken"), Member(3, "c")]) },
            { try $0.update([Member(2, "c"), Member(3, "taken")]) },
            { try $0.update(Member.self, key: 3) { $0.set(\.code, to: "taken") } },
            { try $0.update(Member.self, keys: [1, 3]) { $0.set(\.code, to: "\($1 % 2)") } },
        ]
        for (call, key) in zip(calls, ["5", "5", "5", "3", "3", "3"]) {
            do {
                try await client.write(call)
                Issue.record("nothing was thrown")
            } catch let error as DBClientError {
                #expect(error.code == .uniqueViolation)
                #expect(error.field == "code")
                #expect(error.key == key)
            }
        }
        try client.close()
        store.remove()
    }
}
