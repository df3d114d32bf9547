#if os(Linux)
import DBClientCore
import DBClientTesting
import Foundation
import Testing

/// A reader that sleeps while others write, on every engine.
@Suite(.serialized)
struct BackPressureTests {
    /// How often each of a thousand rows is changed; a thousand times with
    /// `DBCLIENT_BACK_PRESSURE_ROUNDS=1000`.
    private static let rounds =
        ProcessInfo.processInfo.environment["DBCLIENT_BACK_PRESSURE_ROUNDS"].flatMap { Int($0) }
        ?? 20
    private static let count = 1_000

    @Test(
        "Rows that change under a sleeping reader come as one change set, in bounded memory",
        arguments: Backends.chosen.filter { $0.exclusions[.observation] == nil }
    )
    func staysBounded(_ backend: ConformanceBackend) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        try await client.insert((0..<Self.count).map { Gauge(id: $0) })
        let byLevel = Gauge.where { $0.level >= 0 }.sorted { [$0.level, $0.id] }
        var sleeping = client.observe(byLevel).makeAsyncIterator()
        _ = try await sleeping.next()
        // Told after the one that came first, so that what it has, that one can have.
        let awake = Task {
            for try await change in client.observe(byLevel)
            where change.objects.allSatisfy({ $0.level == Self.rounds }) { return }
        }
        let before = try privateMemory()
        var most = before
        for round in 1...Self.rounds {
            try await client.update(Gauge.all) { $0.set(\.level, to: round) }
            if round.isMultiple(of: 10) { most = max(most, try privateMemory()) }
        }
        #expect(most - before < 96 << 20, "\(backend): from \(before) to \(most) bytes")
        try await awake.value
        guard case .update(let changes)? = try await sleeping.next() else {
            throw DBClientError(.notFound, "No update came.")
        }
        #expect(changes.modifications.count == Self.count)
        #expect(changes.objects.allSatisfy { $0.level == Self.rounds })
        try client.close()
        if Self.rounds >= 1_000 {
            print("\(backend): \((most - before) >> 20) MB more at most")
        }
    }

    /// The resident bytes of the process that no file backs.
    private func privateMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        let kilobytes = try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first)
        return try #require(Int(kilobytes)) * 1_024
    }
}

@Stored private struct Gauge {
    let id: Int
    var level: Int

    init(id: Int) {
        self.id = id
        level = 0
    }
}
#endif
