/// Transactions on lists, and what each of them read and appended.
///
/// No value is appended twice. A read of a list then tells which transactions had appended to it, and in which order:
/// the method of Elle (Kingsbury and Alvaro 2020).
struct History: Sendable {
    /// A list as a transaction read it, and what it appended then.
    struct Step: Sendable {
        let key: Int
        let read: [Int]
        var appended: Int?
    }

    enum Outcome: Sendable {
        case committed
        case rolledBack
        /// The answer to the commit was lost, or its task was cancelled.
        case unknown
    }

    struct Transaction: Sendable {
        let outcome: Outcome
        /// What was read, of a transaction that was committed; of another one what it was about to append.
        let steps: [Step]

        var appended: [Int] { steps.compactMap(\.appended) }
    }

    var transactions: [Transaction] = []
    /// The lists in the end, by their keys.
    var final: [Int: [Int]] = [:]

    /// Returns what is wrong with the history, nothing where some serial order explains all of it.
    func faults() -> [String] {
        var faults: [String] = []
        var writers: [Int: Int] = [:]
        for (number, transaction) in transactions.enumerated() {
            for value in transaction.appended { writers[value] = number }
        }
        var counts: [Int: Int] = [:]
        for value in final.values.joined() {
            counts[value, default: 0] += 1
            if let writer = writers[value], transactions[writer].outcome != .rolledBack { continue }
            faults.append("\(value) is there, and its transaction was rolled back")
        }
        for (value, writer) in writers where transactions[writer].outcome == .committed {
            if counts[value] == nil { faults.append("lost: \(value)") }
        }
        faults += counts.filter { $0.value > 1 }.map { "\($0.key) is there \($0.value) times" }
        var graph = Graph(count: transactions.count)
        for list in final.values {
            for (first, second) in zip(list, list.dropFirst()) {
                graph.add(writers[first], writers[second])
            }
        }
        for (number, transaction) in transactions.enumerated()
        where transaction.outcome == .committed {
            faults += connect(number, transaction, writers, &graph)
        }
        let cycle = graph.cycle()
        if !cycle.isEmpty { faults.append("a cycle of transactions \(cycle)") }
        return faults
    }

    /// Adds what a transaction's reads say of its place in the order, and returns what they cannot have read.
    private func connect(
        _ number: Int,
        _ transaction: Transaction,
        _ writers: [Int: Int],
        _ graph: inout Graph
    ) -> [String] {
        var faults: [String] = []
        var own: [Int: [Int]] = [:]
        for step in transaction.steps {
            let mine = own[step.key] ?? []
            let list = final[step.key] ?? []
            let read = step.read.dropLast(mine.count)
            if !step.read.suffix(mine.count).elementsEqual(mine) || !list.starts(with: read) {
                faults.append("transaction \(number) read \(step.read.suffix(8)) of \(step.key)")
            } else {
                if let last = read.last { graph.add(writers[last], number) }
                if read.count < list.count { graph.add(number, writers[list[read.count]]) }
            }
            if let value = step.appended { own[step.key, default: []].append(value) }
        }
        return faults
    }

    /// Which transaction must come before which.
    private struct Graph {
        private var next: [Set<Int>]

        init(count: Int) {
            next = Array(repeating: [], count: count)
        }

        mutating func add(_ before: Int?, _ after: Int?) {
            guard let before, let after, before != after else { return }
            next[before].insert(after)
        }

        /// Returns the transactions of a cycle, none where there is none.
        func cycle() -> [Int] {
            // What has nothing before it is taken away, again and again; what stays is on a cycle or after one.
            var before = [Int](repeating: 0, count: next.count)
            for after in next.joined() { before[after] += 1 }
            var free = before.indices.filter { before[$0] == 0 }
            while let number = free.popLast() {
                for after in next[number] {
                    before[after] -= 1
                    if before[after] == 0 { free.append(after) }
                }
                before[number] = -1
            }
            // Backwards from any of those, one that was met already comes again.
            guard let start = before.firstIndex(where: { $0 > 0 }) else { return [] }
            var path = [start]
            while true {
                let last = path[path.count - 1]
                let previous = before.indices.first { before[$0] > 0 && next[$0].contains(last) }
                guard let previous else { return path }
                if let place = path.firstIndex(of: previous) { return path[place...].reversed() }
                path.append(previous)
            }
        }
    }
}
