import DBClientCore
import DBClientTesting

/// Has several tasks run made-up transactions on a few lists, some of which throw or are cancelled, and notes what each
/// has read and appended.
struct HistoryRecorder: Sendable {
    let seed: UInt64
    let transactions: Int
    /// Whether each step is a transaction of its own, a fault that a checker must find.
    var isSplit = false

    private static let tasks = 6
    private static let keys = 8

    func record(on client: any DBClient) async throws -> History {
        try await client.insert((0..<Self.keys).map { Register(id: $0, values: []) })
        var history = History()
        history.transactions = await withTaskGroup(of: [History.Transaction].self) { group in
            for task in 0..<Self.tasks {
                group.addTask { await run(task, on: client) }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        for register in try await client.findAll(Register.self) {
            history.final[register.id] = register.values
        }
        return history
    }

    /// Runs the transactions of a task, whose values are like no other task's.
    private func run(_ task: Int, on client: any DBClient) async -> [History.Transaction] {
        var random = SeededGenerator(seed: seed &* 64 &+ UInt64(task))
        var found: [History.Transaction] = []
        for number in 0..<transactions / Self.tasks {
            let first = (task * transactions + number) * 8
            let plan = Plan(first: first, keys: Self.keys, &random)
            found.append(await run(plan, on: client))
        }
        return found
    }

    private func run(_ plan: Plan, on client: any DBClient) async -> History.Transaction {
        let isSplit = isSplit
        let task = Task { () throws -> [History.Step] in
            if isSplit {
                var steps: [History.Step] = []
                for step in plan.steps {
                    let read = try await client.read { try Plan.list(step.key, in: $0) }
                    await Task.yield()
                    if let value = step.appended {
                        try await client.update(Register(id: step.key, values: read + [value]))
                    }
                    steps.append(History.Step(key: step.key, read: read, appended: step.appended))
                }
                return steps
            }
            if plan.steps.allSatisfy({ $0.appended == nil }) {
                return try await client.read { transaction in
                    try plan.steps.map { step in
                        History.Step(key: step.key, read: try Plan.list(step.key, in: transaction))
                    }
                }
            }
            return try await client.write { try plan.run(in: $0) }
        }
        if plan.isCancelled { task.cancel() }
        do {
            return History.Transaction(outcome: .committed, steps: try await task.value)
        } catch {
            let code = (error as? DBClientError)?.code
            let isKnown = error is Plan.Refusal || code != .commitOutcomeUnknown
            return History.Transaction(
                outcome: isKnown && !isSplit ? .rolledBack : .unknown,
                steps: plan.steps
            )
        }
    }
}

/// What a transaction is about to do.
private struct Plan: Sendable {
    struct Refusal: Error {}

    let steps: [History.Step]
    let isCancelled: Bool
    private let isRefused: Bool

    init(first value: Int, keys: Int, _ random: inout SeededGenerator) {
        let onlyReads = Int.random(in: 0..<4, using: &random) == 0
        steps = (0..<Int.random(in: 1...4, using: &random)).map { step in
            let appends = !onlyReads && Bool.random(using: &random)
            return History.Step(
                key: Int.random(in: 0..<keys, using: &random),
                read: [],
                appended: appends ? value + step : nil
            )
        }
        isRefused = Int.random(in: 0..<20, using: &random) == 0
        isCancelled = Int.random(in: 0..<20, using: &random) == 0
    }

    func run(in transaction: WriteTransaction) throws -> [History.Step] {
        let done = try steps.map { step in
            let read = try Self.list(step.key, in: transaction)
            if let value = step.appended {
                try transaction.update(Register(id: step.key, values: read + [value]))
            }
            return History.Step(key: step.key, read: read, appended: step.appended)
        }
        if isRefused { throw Refusal() }
        return done
    }

    static func list(_ key: Int, in transaction: ReadTransaction) throws -> [Int] {
        try transaction.find(Register.self, key: key)?.values ?? []
    }
}

/// A list to which transactions append.
@Stored private struct Register: Equatable {
    let id: Int
    var values: [Int]
}
