import DBClientSQL
import DBClientSQLite
import Dispatch
import Foundation
import Testing

@testable import DBClientCore

/// What an observer is told of its own writes while another process writes.
@Suite struct SuppressedObserversTests {
    @Test(.timeLimit(.minutes(15)))
    func aForeignCommitInAReadingIsTold() async throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        try await client.insert((1...100).map { Hero(id: $0, name: "own") })
        let other = RawConnection(folder.store)
        let told = Told()
        let token = client.observe(
            Hero.all.limit(1),
            on: told,
            onFailure: { _, error in Issue.record(error) },
            { $0.take($1) }
        )
        while await told.names.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        let hub = try #require(client.observation.hub)
        let gate = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            hub.perform { _ in
                continuation.resume()
                gate.wait()
            }
        }
        // The visible range runs short, so it is read again, with what the other one has committed by then.
        try await client.write(withoutNotifying: token) {
            _ = try $0.delete(Hero.where { $0.id <= 60 })
        }
        #expect(other.run("UPDATE Hero SET name = 'foreign' WHERE id = 61") == 0)
        gate.signal()
        while await told.names.last != "foreign" { try await Task.sleep(for: .milliseconds(1)) }
        token.cancel()
        try client.close()
    }

    private actor Told {
        private(set) var names: [String] = []

        func take(_ change: Change<Hero>) { names.append(change.objects.first?.name ?? "none") }
    }
}
