import DBClientCore
import Synchronization

/// Keeps entities of a target as they are in a source.
///
/// A step is one snapshot of the source and one transaction of the target, which writes what differs. So the target
/// always has what the source had at some commit, and a copy that was killed goes on by what differs then.
struct FollowingCopy: Sendable {
    private let source: Store
    private let target: Store
    /// In an order in which what a row refers to comes before it; links come last.
    private let entities: [EntitySchema]

    init(_ entities: [EntitySchema], from source: Store, to target: Store) {
        self.source = source
        self.target = target
        self.entities =
            ResumableCopy.steps(of: entities).flatMap(\.self) + entities.flatMap(\.links)
    }

    /// Whether the target has a row of the entities.
    var targetHasRows: Bool {
        get async throws {
            try await target.client.read { transaction in
                try entities.contains {
                    try !transaction.fetch(DynamicRequest($0).limit(1)).isEmpty
                }
            }
        }
    }

    /// The entities that were written to since they were compared.
    private final class Marks: Sendable {
        private struct State {
            var names: Set<String> = []
            var failure: (any Error)?
            var readings = 0
        }

        private let state = Mutex(State())
        let wakes: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() {
            (wakes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        }

        /// Another number each time, so that each reading is told.
        func next() -> Int {
            state.withLock { state in
                state.readings += 1
                return state.readings
            }
        }

        func mark(_ name: String) {
            state.withLock { _ = $0.names.insert(name) }
            continuation.yield()
        }

        func take() -> Set<String> {
            state.withLock { state in
                defer { state.names = [] }
                return state.names
            }
        }

        func end(_ failure: (any Error)? = nil) {
            state.withLock { $0.failure = $0.failure ?? failure }
            continuation.finish()
        }

        func check() throws {
            if let failure = state.withLock({ $0.failure }) { throw failure }
        }
    }

    /// Follows the source until the process is interrupted.
    ///
    /// - Parameter told: Is called after each step with what differed.
    /// - Throws: What reading, writing and `told` throw.
    func run(_ told: ([EntityDifference]) throws -> Void) async throws {
        let marks = Marks()
        let client = source.client
        try await withThrowingTaskGroup(of: Void.self) { group in
            for entity in entities {
                group.addTask {
                    do {
                        let commits = client.observe(DynamicRequest(entity)) { _ in marks.next() }
                        for try await _ in commits { marks.mark(entity.name) }
                    } catch {
                        marks.end(ToolError.reading(entity, error))
                    }
                }
            }
            group.addTask {
                await Interruption.wait()
                marks.end()
            }
            defer { group.cancelAll() }
            for await _ in marks.wakes {
                try told(try await step(marks.take()))
            }
        }
        try marks.check()
    }

    /// Writes what differs of the entities with some names; of all where the rows of others are concerned too.
    private func step(_ names: Set<String>) async throws -> [EntityDifference] {
        do {
            return try await write(entities.filter { names.contains($0.name) }, thoroughly: false)
        } catch let error as DBClientError where Self.concernsOthers(error.code) {
            return try await write(entities, thoroughly: true)
        }
    }

    /// Whether rows that were not compared, or were written in another order, may be why a write was refused.
    private static func concernsOthers(_ code: DBClientError.Code) -> Bool {
        [
            .danglingReference, .deletionDenied, .uniqueViolation, .constraintViolation,
            .duplicateKey,
        ]
        .contains(code)
    }

    /// Writes what differs in one transaction.
    ///
    /// Thoroughly, rows that change go first, so that none has a unique value that another takes over; what their going
    /// changes by the rules of references is compared again.
    private func write(
        _ compared: [EntitySchema],
        thoroughly: Bool
    ) async throws -> [EntityDifference] {
        let reading = source.client
        return try await target.client.write { transaction in
            try reading.readBlocking { source in
                func differences() throws -> [EntityDifference] {
                    try compared.map { try EntityDifference(of: $0, from: source, to: transaction) }
                }
                let found = try differences()
                var left = found
                for _ in 0..<(thoroughly ? Self.mostPasses : 1) where !left.allSatisfy(\.isEmpty) {
                    if thoroughly {
                        try Self.delete(left, withUpdated: true, in: transaction)
                        try transaction.upsert(left.flatMap { $0.inserted + $0.updated })
                        left = try differences()
                    } else {
                        // What is deleted is referred to no more then.
                        try transaction.insert(left.flatMap(\.inserted))
                        try transaction.update(left.flatMap(\.updated))
                        try Self.delete(left, withUpdated: false, in: transaction)
                        left = []
                    }
                }
                guard left.allSatisfy(\.isEmpty) else {
                    throw ToolError(
                        "The target must take the rows of the source; its own rules change them again."
                    )
                }
                return found.filter { !$0.isEmpty }
            }
        }
    }

    /// How often what the rules of references change is written again.
    private static let mostPasses = 5

    /// Deletes rows, those that refer to others first.
    private static func delete(
        _ differences: [EntityDifference],
        withUpdated: Bool,
        in transaction: WriteTransaction
    ) throws {
        for difference in differences.reversed() {
            let updated = withUpdated ? difference.updated.map(\.key) : []
            for key in difference.deleted + updated {
                try transaction.delete(difference.entity, key: key)
            }
        }
    }
}
