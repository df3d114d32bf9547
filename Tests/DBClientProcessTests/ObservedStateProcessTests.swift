import DBClientCore
import Foundation
import StoreEntry
import Testing

/// Whatever an observer is told is a state that the store had between two commits, of two processes that write
/// to it at the same time.
@Suite(.serialized, .timeLimit(.minutes(15))) struct ObservedStateProcessTests {
    @Test(arguments: ProcessTests.Engine.allCases)
    func eightWritersInTwoProcesses(engine: ProcessTests.Engine) async throws {
        let isLong = ProcessInfo.processInfo.environment["DBCLIENT_LONG"] != nil
        let times = isLong ? 1_000 : 100
        let folder = try TemporaryFolder()
        let client = try engine.open(folder.store, busyTimeout: .seconds(60))
        try Bank.found(in: client)
        let observers = BankObservers(client)
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
        let told = observers.told.sorted { $0.key < $1.key }
            .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let faults = observers.faults
        print("\(engine.rawValue): told \(told); \(faults.count) never were")
        #expect(faults.isEmpty, "\(faults.count) of \(told): \(faults.prefix(12))")
        observers.cancel()
        try client.close()
        withExtendedLifetime(folder) {}
    }

    private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}
