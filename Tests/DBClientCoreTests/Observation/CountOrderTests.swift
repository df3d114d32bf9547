import DBClientTesting
import Dispatch
import Synchronization
import Testing

@testable import DBClientCore

/// Observed counts whose rows are read while others are committed.
@Suite("The order of observed counts")
struct CountOrderTests {
    @Test("An observer that joins while a number is read gets none from before it joined")
    func joinsWhileItIsRead() async throws {
        let client = InMemoryDBClient()
        try await client.insert(try probes(0..<2))
        let engine = GatedEngine(client.engine, client.observation.hub)
        let source = ObservationSource(engine: engine, client: client)
        nonisolated(unsafe) let first = try await source.count(FetchRequest<Probe>())
        let firstNumbers = Task { try await first.next() }
        try await engine.gate.waitForArrival()
        try await client.insert(try probes(2..<3))
        nonisolated(unsafe) let second = try await source.count(FetchRequest<Probe>())
        let secondNumber = Task { try await second.next() }
        try await turn(of: engine.hub)
        engine.gate.pass(1)
        let number = try await secondNumber.value
        engine.gate.pass(100)
        #expect(number == 3)
        #expect(try await firstNumbers.value == 2)
        #expect(try await first.next() == 3)
    }

    @Test("A commit of others that is told late counts once")
    func commitsToldLate() async throws {
        let client = InMemoryDBClient()
        try await client.insert(try probes(0..<2))
        let hub = ChangeHub()
        let late = LateCommits(hub)
        hub.add(late)
        let engine = GatedEngine(client.engine, hub)
        engine.gate.pass(100)
        let source = ObservationSource(engine: engine, client: client)
        late.add(try probes(1..<2))
        let numbers = try await source.count(FetchRequest<Probe>())
        #expect(try await numbers.next() == 2)
        await late.settle()
        try await turn(of: hub)
        let others = try await source.count(FetchRequest<Probe>())
        #expect(try await others.next() == 2)
    }

    private func probes(_ numbers: Range<Int>) throws -> [Probe] {
        var generator = SeededGenerator(seed: 1)
        return try numbers.map { try Sample.probe(Sample.row($0, using: &generator)) }
    }

    /// Returns once everything that the hub was asked for has run.
    private func turn(of hub: ChangeHub?) async throws {
        let hub = try #require(hub)
        await withCheckedContinuation { continuation in
            hub.perform(inTurn: true) { _ in continuation.resume() }
        }
    }
}

/// Lets so many counts of whole requests pass, after they were counted.
private final class Gate: Sendable {
    private let arrivals = Mutex(0)
    private let permits = DispatchSemaphore(value: 0)

    func arrive() {
        arrivals.withLock { $0 += 1 }
        _ = permits.wait(timeout: .now() + .seconds(60))
    }

    func pass(_ count: Int) {
        for _ in 0..<count { permits.signal() }
    }

    func waitForArrival() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while arrivals.withLock({ $0 }) == 0 {
            try #require(ContinuousClock.now < deadline, "Nothing was counted.")
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

/// An engine whose counts wait at a gate.
private final class GatedEngine: Engine {
    let gate = Gate()
    let hub: ChangeHub?
    private let base: any Engine

    init(_ base: any Engine, _ hub: ChangeHub?) {
        self.base = base
        self.hub = hub
    }

    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        try base.readBlocking { try body(GatedReader($0, gate)) }
    }

    func writeBlocking<Value>(_ body: (any EngineWriter) throws -> Value) throws -> Value {
        try base.writeBlocking(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value {
        try await base.write(body)
    }

    func close() throws {
        try base.close()
    }
}

private final class GatedReader: ForwardingReader {
    let source: any EngineReader
    private let gate: Gate

    init(_ source: any EngineReader, _ gate: Gate) {
        self.source = source
        self.gate = gate
    }

    func count(_ query: RowQuery) throws -> Int {
        let count = try source.count(query)
        if query.limit == nil { gate.arrive() }
        return count
    }
}

/// Commits of others whose rows are in the store, and which the hub learns of when it asks for all.
private final class LateCommits: ForeignCommits {
    private let hub: ChangeHub
    private let untold = Mutex<[Probe]>([])

    init(_ hub: ChangeHub) {
        self.hub = hub
    }

    func add(_ inserted: [Probe]) {
        untold.withLock { $0 += inserted }
    }

    func beginWatching() {}
    func look() {}
    func endWatching() {}

    var mayTellLate: Bool { true }

    func settle() async {
        let probes = untold.withLock { probes in
            defer { probes = [] }
            return probes
        }
        if probes.isEmpty { return }
        hub.noteForeignCommit { _ in
            let log = RowLog(Probe.schema.entity)
            for probe in probes {
                let buffer = RowBuffer(Probe.schema.entity)
                do {
                    var row = try buffer.beginRow()
                    try probe.write(to: &row)
                    try buffer.endRow(row)
                } catch {
                    Issue.record(error)
                }
                log.append(inserted: buffer.batch)
            }
            return [CapturedUnit(logs: [log], unseen: .none)]
        }
    }
}
