package import DBClientCore
import Synchronization

/// Observers of a bank, which note each state that they are told and that the bank never had.
package final class BankObservers: Sendable {
    private struct State {
        var faults: [String] = []
        var told: [String: Int] = [:]
        var totals: [String: Int] = [:]
    }

    /// What an observer may not do with what it is told.
    package enum Loss: CaseIterable, Sendable {
        /// It loses every fifth commit.
        case commit
        /// It is told of a state after the one that follows it.
        case order
    }

    private let state = Mutex(State())
    private let tasks = Mutex<[Task<Void, Never>]>([])
    private let loss: Loss?

    /// Begins to observe in several ways, with a fault that must be found where one is named.
    package init(_ client: some DBClient, with loss: Loss? = nil) {
        self.loss = loss
        watch("all", client.observe(Purse.all))
        watch("sorted", client.observe(Bank.pursesByBalance))
        watch("limited", client.observe(Bank.pursesByBalance.limit(100)))
        run { [weak self] in
            var old: [Purse] = []
            for try await change in client.observe(Bank.pursesByBalance.limit(Bank.count / 2)) {
                let rows = Self.objects(of: change)
                let least = rows.map(\.balance).min() ?? 0
                // The upper half has at least half of all.
                let sum = rows.reduce(0) { $0 + $1.balance }
                self?.note(
                    "window",
                    least < 0 || 2 * sum < Bank.sum ? "\(sum) in the upper half" : nil,
                    Bank.fault(from: old, to: rows)
                )
                old = rows
            }
        }
        run { [weak self] in
            for try await change in client.observe(Bank.openPurses) {
                let count = Self.objects(of: change).count
                self?.note("open", count == Bank.count / 2 ? nil : "\(count) open purses")
            }
        }
        run { [weak self] in
            for try await change in client.observe(Bank.safes) {
                let purses = Self.objects(of: change).flatMap(\.purses)
                let sum = purses.reduce(0) { $0 + $1.balance }
                let open = purses.count { $0.isOpen }
                self?.note("safes", sum == Bank.sum ? nil : "\(sum) in the safes")
                self?.note("safes", open == Bank.count / 2 ? nil : "\(open) open in the safes")
            }
        }
        run { [weak self] in
            for try await change in client.observe(Bank.openSafes) {
                let open = Self.objects(of: change).flatMap(\.purses).count { $0.isOpen }
                self?.note("open safes", open == Bank.count / 2 ? nil : "\(open) in open safes")
            }
        }
        run { [weak self] in
            for try await count in client.observeCount(Bank.openPurses) {
                self?.note("count", count == Bank.count / 2 ? nil : "\(count) counted")
            }
        }
        run { [weak self] in
            let sums = client.observe(Bank.purses) { try $0.sum(\.balance, of: Bank.purses) }
            for try await sum in sums {
                self?.note("sum", sum == Bank.sum ? nil : "\(sum) added up")
            }
        }
        listen(client)
    }

    deinit {
        cancel()
    }

    /// Ends what is observed.
    package func cancel() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }

    /// What was told and never was.
    package var faults: [String] { state.withLock { $0.faults } }

    /// How many states each observer was told.
    package var told: [String: Int] { state.withLock { $0.told } }

    /// Waits until the observers of all rows were told of so many transfers.
    package func settle(_ transfers: Int) async throws {
        let end = ContinuousClock.now + .seconds(300)
        while !faults.contains(where: { $0.hasPrefix("error") }) {
            let totals = state.withLock { $0.totals }
            let isDone = ["all", "sorted", "limited"].allSatisfy { totals[$0] == transfers }
            if isDone { return }
            guard ContinuousClock.now < end else {
                return state.withLock { $0.faults.append("told of \(totals), not \(transfers)") }
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private func watch(_ name: String, _ stream: ChangeStream<Purse>) {
        run { [weak self] in
            var old: [Purse] = []
            var states: [[Purse]] = []
            for try await change in stream {
                let rows = Self.objects(of: change)
                if self?.loss == .order {
                    states.append(rows)
                    if states.count == 3 {
                        self?.note(name, Bank.fault(from: old, to: states[0]))
                    }
                }
                self?.note(name, Bank.fault(in: rows), Bank.fault(from: old, to: rows))
                self?.state.withLock { $0.totals[name] = rows.reduce(0) { $0 + $1.step } }
                old = rows
            }
        }
    }

    /// What a commit had read was committed before it, so the feed has told it, or that it does not know.
    private func listen(_ client: some DBClient) {
        run { [weak self] in
            var told: [Int: Int] = [:]
            // What the listener knows of each writer, by what it was told and by what it read for that.
            var known: [Int: Int] = [:]
            var commits = 0
            for try await commit in client.changes(of: Purse.self) {
                commits += 1
                if commits.isMultiple(of: 5), self?.loss == .commit { continue }
                if commit.hasUntrackedChanges {
                    for row in try await client.fetch(Purse.where { $0.id >= 1_000 }) {
                        known[row.id] = max(known[row.id] ?? 0, row.step)
                    }
                }
                for (before, after) in commit.updated.map({ ($0.before, $0.after) })
                where after.id >= 1_000 {
                    let other = Bank.row(of: Bank.neighbour(of: after.id - 1_000))
                    let step = told[after.id] ?? 0
                    self?.note(
                        "feed",
                        before.step < step ? "\(before.step) after \(step) transfers" : nil,
                        after.seen > known[other] ?? 0
                            ? "\(after.seen) seen of \(known[other] ?? 0) transfers" : nil
                    )
                    told[after.id] = after.step
                    known[after.id] = max(known[after.id] ?? 0, after.step)
                }
            }
        }
    }

    private static func objects<Model>(of change: Change<Model>) -> [Model] {
        switch change {
        case .initial(let objects): Array(objects)
        case .update(let changes): Array(changes.objects)
        }
    }

    private func note(_ name: String, _ faults: String?...) {
        state.withLock { state in
            state.told[name, default: 0] += 1
            for case let fault? in faults { state.faults.append("\(name): \(fault)") }
        }
    }

    private func run(_ body: @escaping @Sendable () async throws -> Void) {
        let task = Task { [weak self] in
            do {
                try await body()
            } catch {
                self?.state.withLock { $0.faults.append("error: \(error)") }
            }
        }
        tasks.withLock { $0.append(task) }
    }
}
