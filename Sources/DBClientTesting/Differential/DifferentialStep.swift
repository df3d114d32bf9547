import DBClientCore

/// One call of a transaction, for the library and for the oracle.
///
/// Both tell what came of it as text.
struct DifferentialStep<Model: DifferentialModel>: Sendable {
    let text: String
    let run: Run
    let predict: @Sendable (inout Oracle<Model>) throws -> String

    /// How the library does it.
    enum Run: Sendable {
        case read(@Sendable (any ReadTransaction) throws -> String)
        case write(@Sendable (any WriteTransaction) throws -> String)
    }

    /// Makes a step up that reads.
    static func makeRead(_ draws: Draws) -> DifferentialStep {
        let make = draws.pick(
            DifferentialStep.fetch,
            DifferentialStep.fetch,
            DifferentialStep.count,
            DifferentialStep.first,
            DifferentialStep.find,
            DifferentialStep.function,
            DifferentialStep.visit
        )
        return make(draws)
    }

    /// Makes a step up that reads or writes.
    static func make(_ draws: Draws, depth: Int = 2) -> DifferentialStep {
        if draws.chance(35) { return makeRead(draws) }
        if depth > 0, draws.chance(8) { return nested(draws, depth: depth - 1) }
        let make = draws.pick(
            DifferentialStep.insert,
            DifferentialStep.insert,
            DifferentialStep.upsert,
            DifferentialStep.update,
            DifferentialStep.updateExisting,
            DifferentialStep.assign,
            DifferentialStep.assignMatching,
            DifferentialStep.delete,
            DifferentialStep.deleteMatching
        )
        return make(draws)
    }

    /// Runs the step in a write transaction; a library error is what came of it.
    func run(in transaction: any WriteTransaction) throws -> String {
        try Self.telling {
            switch run {
            case .read(let body): try body(transaction)
            case .write(let body): try body(transaction)
            }
        }
    }

    /// Runs the step in a read transaction, where it writes nothing.
    func run(in transaction: any ReadTransaction) throws -> String {
        try Self.telling {
            guard case .read(let body) = run else { return "not a read" }
            return try body(transaction)
        }
    }

    /// Runs the step in the oracle.
    func run(in oracle: inout Oracle<Model>) throws -> String {
        try Self.telling { try oracle.atomically { try predict(&$0) } }
    }

    private static func telling(_ body: () throws -> String) throws -> String {
        do {
            return try body()
        } catch let error as DBClientError {
            return "error \(error.code)"
        } catch let error as OracleError {
            return "error \(error.code)"
        }
    }
}
