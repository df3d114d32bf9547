import DBClientCore
import DBClientTesting
import Testing

@Suite(.serialized) struct CascadeTests {
    /// A chain of 4,000 took 6.7 s, as each value had every row looked at for what holds it.
    @Test func aChainIsDeletedInTheTimeOfItsLength() throws {
        func time(_ count: Int) throws -> Duration {
            let client = InMemoryDBClient()
            try client.blocking.insert((1...count).map { Linked(id: $0, after: $0 - 1) })
            var wasThere = false
            let duration = try ContinuousClock().measure {
                wasThere = try client.blocking.delete(Linked.self, key: 1)
            }
            #expect(wasThere)
            #expect(try client.blocking.count(Linked.all) == 0)
            return duration
        }
        _ = try time(100)
        let ratios = try (0..<4).map { _ in try time(4_000) / time(500) }
        // Eight times as long by its length, 64 times by its square.
        let least = try #require(ratios.min())
        #expect(least < 24)
        print("a chain of 4,000 takes \(least) times as long as one of 500: \(try time(4_000))")
    }
}

@Stored private struct Linked: Equatable {
    let id: Int
    @Relationship(onDelete: .cascade) var after: Reference<Linked>?

    init(id: Int, after: Int) {
        self.id = id
        self.after = after == 0 ? nil : Reference(after)
    }
}
