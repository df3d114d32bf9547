import DBClientCore
import Foundation
import Testing

@Suite("Streams")
struct StreamTests {
    private let client = FakeClient()

    private func fill(_ count: Int) throws {
        try client.blocking.insert(
            (0..<count).map { number in
                var hero = Character(identifier: number, name: "Hero \(number % 3)")
                hero.power = number % 4 == 0 ? nil : number % 5
                return hero
            }
        )
    }

    private func collect(_ stream: FetchStream<Character>) async throws -> [Int] {
        var found: [Int] = []
        for try await hero in stream { found.append(hero.identifier) }
        return found
    }

    @Test(
        "A stream gives what a fetch gives, whatever the page size",
        arguments: [1, 2, 7, 20, 50]
    )
    func sameAsFetch(batchSize: Int) async throws {
        try fill(20)
        for request in [
            Character.all, Character.all.sorted { [$0.power.descending, $0.name] },
            Character.where { $0.name == "Hero 1" }.sorted { $0.power.ascending.nilsLast },
            Character.all.offset(3).limit(9).sorted { $0.name }, Character.all.limit(0),
            Character.all.offset(30), Character.all.limit(14),
        ] {
            let fetched = try await client.fetch(request).map(\.identifier)
            let streamed = try await collect(client.stream(request, batchSize: batchSize))
            #expect(streamed == fetched)
        }
    }

    @Test("No page has more values than asked for, and the last known one is not read for nothing")
    func pages() async throws {
        try fill(10)
        func scans(_ request: FetchRequest<Character>) async throws -> [Int?] {
            let before = client.fake.scannedLimits.count
            for try await _ in client.stream(request, batchSize: 4) {}
            return Array(client.fake.scannedLimits[before...])
        }
        #expect(try await scans(Character.all) == [4, 4, 4])
        #expect(try await scans(Character.all.limit(8)) == [4, 4])
        #expect(try await scans(Character.all.limit(5)) == [4, 1])
    }

    @Test("Writes beside a stream neither repeat nor drop a value that keeps its sort key")
    func concurrentWrites() async throws {
        try fill(10)
        var found: [Int] = []
        for try await hero in client.stream(Character.all.sorted { $0.identifier }, batchSize: 3) {
            found.append(hero.identifier)
            if hero.identifier == 4 {
                // One before, the one at hand, one behind; and two new ones, before and behind.
                try await client.delete(Character.self, keys: [1, 4, 8])
                try await client.insert([
                    Character(identifier: -1, name: "before"),
                    Character(identifier: 20, name: "behind"),
                ])
            }
        }
        #expect(found == [0, 1, 2, 3, 4, 5, 6, 7, 9, 20])
    }

    @Test("An error ends a stream, and each iteration begins anew")
    func errors() async throws {
        try fill(2)
        var iterator = client.stream(Character.all.limit(-1)).makeAsyncIterator()
        await #expect(throws: DBClientError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
        let stream = client.stream(Character.all, batchSize: 0)
        #expect(try await collect(stream) == [0, 1])
        #expect(try await collect(stream) == [0, 1])
    }
}
