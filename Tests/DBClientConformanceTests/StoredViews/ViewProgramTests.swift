import DBClientCore
import DBClientPostgreSQL
import DBClientTesting
import Testing

/// Random programs of transactions over rows of which views are kept, by two clients at once.
@Suite(.serialized) struct ViewProgramTests {
    /// Also where the client's own isolation would let two transactions pass each other by.
    private static let backends =
        Backends.chosen
        + [Backends.onPostgreSQL("PostgreSQL, read committed", .readCommitted)].compactMap(\.self)

    @Test(arguments: backends, [1, 2, 3] as [UInt64])
    func everyCommitHasTheViews(_ backend: ConformanceBackend, _ seed: UInt64) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        // A store in memory is one client's.
        let isShared = backend.exclusions[.persistence] == nil
        let other = isShared ? try await store.open() : client
        defer { if isShared { try? other.close() } }
        try await client.insert(Ordered.Line(id: 0, category: "a", amount: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, writer) in [client, other].enumerated() {
                group.addTask {
                    var generator = SeededGenerator(seed: seed &* 2 &+ UInt64(number))
                    for _ in 0..<40 {
                        let plan = Plan(&generator)
                        do {
                            try await writer.write { try plan.run(in: $0) }
                        } catch is Undone {
                        } catch let error as DBClientError where error.code == .transactionConflict
                        {
                        }
                        try await expectKept(writer)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await expectKept(client)
    }

    /// What one transaction does, drawn before it, since a body may run again.
    private struct Plan: Sendable {
        enum Step: Sendable {
            case insert([Ordered.Line])
            case upsert([Ordered.Line])
            case move(to: String, above: Int)
            case raise(String)
            case delete([Int])
            case clear(String)
            case nested(Plan)
            case read(String)
        }

        let steps: [Step]
        let fails: Bool

        init(_ generator: inout SeededGenerator, depth: Int = 0) {
            func line(_ generator: inout SeededGenerator) -> Ordered.Line {
                Ordered.Line(
                    id: Int.random(in: 0..<60, using: &generator),
                    category: ["a", "b", "c", "d"].randomElement(using: &generator) ?? "a",
                    amount: Int.random(in: 0..<6, using: &generator),
                    weight: Bool.random(using: &generator)
                        ? nil : Double.random(in: -1...1, using: &generator),
                    isOpen: Bool.random(using: &generator)
                )
            }
            func category(_ generator: inout SeededGenerator) -> String {
                ["a", "b", "c", "d"].randomElement(using: &generator) ?? "a"
            }
            var steps: [Step] = []
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                switch Int.random(in: 0..<(depth < 2 ? 10 : 8), using: &generator) {
                case 0: steps.append(.insert([line(&generator)]))
                case 1, 2, 3:
                    let count = Int.random(in: 1...8, using: &generator)
                    steps.append(.upsert((0..<count).map { _ in line(&generator) }))
                case 4:
                    let above = Int.random(in: 0..<6, using: &generator)
                    steps.append(.move(to: category(&generator), above: above))
                case 5: steps.append(.raise(category(&generator)))
                case 6:
                    steps.append(
                        .delete((0..<4).map { _ in Int.random(in: 0..<60, using: &generator) })
                    )
                case 7:
                    steps.append(
                        Bool.random(using: &generator)
                            ? .clear(category(&generator)) : .read(category(&generator))
                    )
                default: steps.append(.nested(Plan(&generator, depth: depth + 1)))
                }
            }
            self.steps = steps
            fails = Int.random(in: 0..<4, using: &generator) == 0
        }

        func run(in transaction: WriteTransaction) throws {
            for step in steps {
                switch step {
                case .insert(let lines):
                    // A key that is there undoes the call, not the transaction.
                    do {
                        try transaction.insert(lines)
                    } catch let error as DBClientError where error.code == .duplicateKey {
                    }
                case .upsert(let lines):
                    var seen: Set<Int> = []
                    try transaction.upsert(lines.filter { seen.insert($0.id).inserted })
                case .move(let category, let amount):
                    try transaction.update(Ordered.Line.where { $0.amount > amount }) {
                        $0.set(\.category, to: category)
                    }
                case .raise(let category):
                    try transaction.update(Ordered.Line.where { $0.category == category }) {
                        $0.set(\.amount, to: 3)
                    }
                case .delete(let keys): try transaction.delete(Ordered.Line.self, keys: keys)
                case .clear(let category):
                    try transaction.delete(Ordered.Line.where { $0.category == category })
                case .read(let category):
                    // Two readings are of one snapshot once a write has the transaction be serializable.
                    try transaction.delete(Ordered.Line.self, keys: [-1])
                    let stored = try transaction.find(Ordered.Revenue.self, key: category)
                    let lines = try transaction.count(
                        Ordered.Line.where { $0.category == category }
                    )
                    #expect((stored?.lines ?? 0) == lines)
                case .nested(let plan):
                    do {
                        try transaction.write { try plan.run(in: $0) }
                    } catch is Undone {
                    }
                }
            }
            if fails { throw Undone() }
        }
    }
}
