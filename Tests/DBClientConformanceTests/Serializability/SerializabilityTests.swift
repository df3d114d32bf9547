import DBClientCore
import DBClientPostgreSQL
import DBClientTesting
import Testing
import TrustRow

/// Whether some serial order explains what concurrent transactions have read and appended.
///
/// `DBCLIENT_HISTORY_TRANSACTIONS` says how many there are, of each backend.
@Suite(.serialized)
struct SerializabilityTests {
    private static let row = TrustRow("R11")
    /// The lists grow, and are read whole.
    private static let transactionsPerStore = 3_000

    @Test("Transactions of a backend are serializable", arguments: Backends.chosen)
    func backend(_ backend: ConformanceBackend) async throws {
        let start = ContinuousClock.now
        let count = Self.row.size("DBCLIENT_HISTORY_TRANSACTIONS", short: 240)
        var done = 0
        var seed = Self.row.seed
        while done < count {
            let size = min(count - done, Self.transactionsPerStore)
            let history = try await record(HistoryRecorder(seed: seed, transactions: size), backend)
            let faults = history.faults()
            #expect(faults.isEmpty, "seed \(seed): \(faults.count), \(faults.prefix(5))")
            #expect(history.transactions.contains { $0.outcome == .rolledBack })
            done += size
            seed += 1
        }
        Self.row.report(done, of: backend.name, since: start)
    }

    /// Otherwise the histories would prove nothing.
    @Test("Transactions that are taken apart are found")
    func splitTransactions() async throws {
        for backend in [Backends.inMemory, Backends.sqlite] {
            let recorder = HistoryRecorder(seed: 1, transactions: 600, isSplit: true)
            let faults = try await record(recorder, backend).faults()
            #expect(!faults.isEmpty, "\(backend)")
        }
    }

    /// The server's level at which what was read may be outdated when it is written back.
    @Test("READ COMMITTED is found")
    func readCommitted() async throws {
        guard let backend = Backends.onPostgreSQL("read committed", .readCommitted) else { return }
        let recorder = HistoryRecorder(seed: 1, transactions: 600)
        let faults = try await record(recorder, backend).faults()
        #expect(!faults.isEmpty)
    }

    /// At which no append is lost, and two transactions may each miss what the other appends.
    @Test("The cycles of REPEATABLE READ are found")
    func repeatableRead() async throws {
        guard let backend = Backends.onPostgreSQL("repeatable read", .repeatableRead) else {
            return
        }
        let recorder = HistoryRecorder(seed: 1, transactions: 1_200)
        let faults = try await record(recorder, backend).faults()
        #expect(faults.contains { $0.hasPrefix("a cycle") }, "\(faults.prefix(5))")
        #expect(!faults.contains { $0.hasPrefix("lost") })
    }

    private func record(
        _ recorder: HistoryRecorder,
        _ backend: ConformanceBackend
    ) async throws -> History {
        let store = try backend.makeStore()
        let client = try await store.open()
        do {
            let history = try await recorder.record(on: client)
            try client.close()
            store.remove()
            return history
        } catch {
            try? client.close()
            store.remove()
            throw error
        }
    }
}
