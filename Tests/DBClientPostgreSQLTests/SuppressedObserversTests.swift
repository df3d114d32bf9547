import DBClientSQL
import Foundation
import Testing

@testable import DBClientCore
@testable import DBClientPostgreSQL

/// What a client knows of others' commits when it waits for the journal.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(2)))
struct SuppressedObserversTests {
    @Test("Whoever waits for the journal is told of everything that was committed before")
    func settling() async throws {
        try await Server.withClient { observing, schema in
            try await observing.installPostgreSQLJournal(for: Counter.self)
            let writing = try await Server.clientElsewhere(try #require(Server.url), schema: schema)
            var changes = observing.observe(Counter.all).makeAsyncIterator()
            _ = try await changes.next()
            let hub = try #require(observing.observation.hub)
            for id in 0..<20 {
                let before = await hub.settledNumber
                #expect(await hub.settledNumber == before)
                try await writing.insert(Counter(id))
                #expect(await hub.settledNumber == before + 1)
            }
            try writing.close()
            // No caller is left waiting.
            async let last = hub.settledNumber
            try observing.close()
            _ = await last
        }
    }
}
