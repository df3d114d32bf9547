import DBClientCore
import Foundation
import StoreEntry
import Testing
import TrustRow

/// Whatever an observer is told is a state that the store had between two commits, of two processes that write
/// to it at the same time.
@Suite(.serialized, .timeLimit(.minutes(15))) struct ObservedStateProcessTests {
    private static let row = TrustRow("R15")

    @Test(arguments: ProcessTests.Engine.allCases)
    func eightWritersInTwoProcesses(engine: ProcessTests.Engine) async throws {
        let start = ContinuousClock.now
        let commits = Self.row.size("DBCLIENT_OBSERVED_COMMITS", short: 800)
        let times = max(commits / Bank.writers.count, 1)
        let observers = try await transfer(engine, times: times)
        let told = observers.told.sorted { $0.key < $1.key }
            .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let faults = observers.faults
        print("\(engine.rawValue): told \(told); \(faults.count) never were")
        #expect(faults.isEmpty, "\(faults.count) of \(told): \(faults.prefix(12))")
        Self.row.report(
            times * Bank.writers.count,
            of: "\(engine.rawValue)-processes",
            since: start
        )
    }

    /// Otherwise the observers would prove nothing.
    @Test(arguments: BankObservers.Loss.allCases)
    func whatAnObserverLosesIsFound(loss: BankObservers.Loss) async throws {
        let observers = try await transfer(.objectStore, times: 40, with: loss)
        let name = loss == .commit ? "feed" : "all"
        #expect(observers.faults.contains { $0.hasPrefix(name) }, "\(observers.faults)")
    }

    /// Has writers in two processes make transfers, and returns the observers once they were told of all.
    private func transfer(
        _ engine: ProcessTests.Engine,
        times: Int,
        with loss: BankObservers.Loss? = nil
    ) async throws -> BankObservers {
        let folder = try TemporaryFolder()
        let client = try engine.open(folder.store, busyTimeout: .seconds(60))
        try Bank.found(in: client)
        let observers = BankObservers(client, with: loss)
        try await observers.settle(0)
        let others = Bank.writers.filter { $0.isMultiple(of: 2) }
        let child = try Child(
            ["bank", engine.rawValue, folder.store.path, "\(times)"] + others.map { "\($0)" }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in Bank.writers where !others.contains(writer) {
                group.addTask {
                    try await onThread {
                        try Bank.transfer(by: writer, times: times, through: client)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(child.waitForLines() == ["done"])
        try await observers.settle(times * Bank.writers.count)
        observers.cancel()
        try client.close()
        withExtendedLifetime(folder) {}
        return observers
    }

    private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}
