public import DBClientCore
import Foundation
import Synchronization

/// A client of a store that fails, delays and loses answers, in every way in which an engine may: to try what an app
/// makes of it.
///
/// ```swift
/// for seed in 1...1_000 {
///     let store = InMemoryDBClient()
///     let client = RetryingDBClient(SimulatedDBClient(seed: UInt64(seed), store))
///     try? await importHeroes(into: client)
///     let count = try await store.count(Hero.all)
///     #expect(count == 0 || count == 3, "seed \(seed)")
/// }
/// ```
///
/// The seed decides what happens to the first transaction, the second, and so on, so that a failure repeats from its
/// seed as long as the app begins its transactions in the same order. What an error says is true: a transaction that
/// is refused, interrupted or in conflict has left nothing behind, and one whose answer was lost is there whole or not
/// at all. A transaction inside another one is left alone.
public final class SimulatedDBClient: DBClientDecorator {
    /// A fault that was simulated, and the transaction that it happened to.
    public struct Event: Hashable, Sendable, CustomStringConvertible {
        /// The number of the transaction, counted from one.
        public let transaction: Int
        /// The fault that was simulated.
        public let fault: SimulatedFault

        /// The number of the transaction and what was done to it.
        public var description: String { "\(transaction): \(fault.rawValue)" }
    }

    private struct State {
        var transactions = 0
        /// How many more transactions an outage refuses.
        var outage = 0
        var events: [Event] = []
    }

    /// The client that does the work.
    public let base: any DBClient
    private let seed: UInt64
    private let plan: SimulationPlan
    private let otherProgram: (@Sendable (WriteTransaction, Int) throws -> Void)?
    private let state = Mutex(State())

    /// Whether a transaction of a simulated store is running here.
    @TaskLocal private static var isInTransaction = false

    /// Creates a client of a store that fails.
    ///
    /// - Parameters:
    ///   - seed: Decides what happens to which transaction.
    ///   - base: The client that does the work; by default one of a new store in memory.
    ///   - plan: How often what happens.
    ///   - otherProgram: What another program writes where ``SimulatedFault/foreignCommit`` happens, given the number of
    ///     the transaction that follows. What it throws undoes what it wrote, and nothing else. Without it, no program
    ///     writes.
    public init(
        seed: UInt64,
        _ base: any DBClient = InMemoryDBClient(),
        plan: SimulationPlan = .everything,
        otherProgram: (@Sendable (WriteTransaction, Int) throws -> Void)? = nil
    ) {
        self.base = base
        self.seed = seed
        self.plan = plan
        self.otherProgram = otherProgram
    }

    /// What has happened so far, in the order in which it was decided.
    public var events: [Event] { state.withLock { $0.events } }

    // MARK: Transactions

    /// Runs a body on one snapshot, unless something happens to it.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        if Self.isInTransaction { return try await base.read(body) }
        let course = begin(isWrite: false)
        if let delay = course.delay { try await Self.wait(delay) }
        if let foreign = foreignCommit(course) { try? await base.write(foreign) }
        if let error = course.refusal { throw error }
        let run: @Sendable (ReadTransaction) throws -> Value = { transaction in
            try Self.$isInTransaction.withValue(true) { try course.run(transaction, body) }
        }
        if course.repeats { _ = try await forwardRead(through: course.interruption, run) }
        return try await forwardRead(through: course.interruption, run)
    }

    /// Runs a body as an atomic unit, unless something happens to it.
    @discardableResult
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        if Self.isInTransaction { return try await base.write(body) }
        let course = begin(isWrite: true)
        if let delay = course.delay { try await Self.wait(delay) }
        if let foreign = foreignCommit(course) { try? await base.write(foreign) }
        if let error = course.refusal { throw error }
        let run: @Sendable (WriteTransaction) throws -> Value = { transaction in
            try Self.$isInTransaction.withValue(true) { try course.run(transaction, body) }
        }
        if course.undoes {
            do {
                try await forwardWrite(through: course.interruption) { transaction in
                    _ = try run(transaction)
                    throw Undone()
                }
            } catch is Undone {
                if let error = course.error { throw error }
            }
        }
        let value = try await forwardWrite(through: course.interruption, run)
        if let error = course.error { throw error }
        return value
    }

    /// Runs a body on one snapshot, blocking the calling thread, unless something happens to it.
    public func readBlocking<Value>(
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value {
        if Self.isInTransaction { return try base.readBlocking(body) }
        let course = begin(isWrite: false)
        if let delay = course.delay { Thread.sleep(forTimeInterval: delay / .seconds(1)) }
        if let foreign = foreignCommit(course) { try? base.writeBlocking(foreign) }
        if let error = course.refusal { throw error }
        func run(_ transaction: ReadTransaction) throws -> Value {
            try Self.$isInTransaction.withValue(true) { try course.run(transaction, body) }
        }
        if course.repeats { _ = try forwardReadBlocking(through: course.interruption, run) }
        return try forwardReadBlocking(through: course.interruption, run)
    }

    /// Runs a body as an atomic unit, blocking the calling thread, unless something happens to it.
    @discardableResult
    public func writeBlocking<Value>(
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        if Self.isInTransaction { return try base.writeBlocking(body) }
        let course = begin(isWrite: true)
        if let delay = course.delay { Thread.sleep(forTimeInterval: delay / .seconds(1)) }
        if let foreign = foreignCommit(course) { try? base.writeBlocking(foreign) }
        if let error = course.refusal { throw error }
        func run(_ transaction: WriteTransaction) throws -> Value {
            try Self.$isInTransaction.withValue(true) { try course.run(transaction, body) }
        }
        if course.undoes {
            do {
                try forwardWriteBlocking(through: course.interruption) { transaction in
                    _ = try run(transaction)
                    throw Undone()
                }
            } catch is Undone {
                if let error = course.error { throw error }
            }
        }
        let value = try forwardWriteBlocking(through: course.interruption, run)
        if let error = course.error { throw error }
        return value
    }

    // MARK: What happens

    /// Thrown by a body that has run, to undo what it did.
    private struct Undone: Error {}

    private static func wait(_ delay: Duration) async throws {
        do {
            try await Task.sleep(for: delay)
        } catch {
            throw DBClientError(.cancelled, "The task was cancelled before the transaction began.")
        }
    }

    private func foreignCommit(
        _ course: SimulatedCourse
    ) -> (@Sendable (WriteTransaction) throws -> Void)? {
        guard course.hasForeignCommit, let otherProgram else { return nil }
        let number = course.number
        return { try otherProgram($0, number) }
    }

    private func begin(isWrite: Bool) -> SimulatedCourse {
        state.withLock { state in
            state.transactions += 1
            var course = SimulatedCourse(
                of: state.transactions,
                seed: seed,
                plan: plan,
                isWrite: isWrite,
                hasOtherProgram: otherProgram != nil
            )
            if state.outage > 0 {
                state.outage -= 1
                course.refuseByOutage()
            }
            state.outage = Swift.max(state.outage, course.followingOutage)
            state.events += course.faults.map { Event(transaction: state.transactions, fault: $0) }
            return course
        }
    }
}
