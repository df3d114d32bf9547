import DBClientCore

/// One call of a transaction, for the library and for the oracle.
///
/// Both tell what came of it as text.
struct DifferentialStep<Model: DifferentialModel>: Sendable {
    let text: String
    let run: Run
    /// How the library does it with a call of the client; nil for what it does in a transaction only.
    var call: (@Sendable (any DBClient) async throws -> String)?
    let predict: @Sendable (inout Oracle<Model>) throws -> String

    /// The library's side of the step, as text to compare with what the oracle predicts.
    enum Run: Sendable {
        case read(@Sendable (ReadTransaction) throws -> String)
        case write(@Sendable (WriteTransaction) throws -> String)
    }

    /// Makes a step up that reads.
    static func makeRead(_ random: RandomSource) -> DifferentialStep {
        let make = random.pick(
            DifferentialStep.fetch,
            DifferentialStep.fetch,
            DifferentialStep.count,
            DifferentialStep.first,
            DifferentialStep.find,
            DifferentialStep.function,
            DifferentialStep.report,
            DifferentialStep.report,
            DifferentialStep.rowSet,
            DifferentialStep.visit
        )
        return make(random)
    }

    /// Makes a step up that reads or writes.
    static func make(_ random: RandomSource, depth: Int = 2) -> DifferentialStep {
        if random.chance(35) { return makeRead(random) }
        if depth > 0, random.chance(8) { return nested(random, depth: depth - 1) }
        return makeWrite(random)
    }

    /// Makes a step up that writes, and is a call of the client as well.
    static func makeWrite(_ random: RandomSource) -> DifferentialStep {
        let make = random.pick(
            DifferentialStep.insert,
            DifferentialStep.insert,
            DifferentialStep.upsert,
            DifferentialStep.insertIfAbsent,
            DifferentialStep.upsertByUnique,
            DifferentialStep.update,
            DifferentialStep.updateExisting,
            DifferentialStep.assign,
            DifferentialStep.assignEach,
            DifferentialStep.assignMatching,
            DifferentialStep.assignReturning,
            DifferentialStep.delete,
            DifferentialStep.deleteMatching,
            DifferentialStep.deleteReturning
        )
        return make(random)
    }

    init(
        text: String,
        run: Run,
        predict: @escaping @Sendable (inout Oracle<Model>) throws -> String
    ) {
        self.text = text
        self.run = run
        self.predict = predict
    }

    /// Makes a step up that is a call of the client.
    static func makeCall(_ random: RandomSource) -> DifferentialStep {
        random.chance(35) ? makeRead(random) : makeWrite(random)
    }

    /// Creates a step that reads, in a transaction or with a call of the client.
    init(
        text: String,
        read: @escaping @Sendable (ReadTransaction) throws -> String,
        call: @escaping @Sendable (any DBClient) async throws -> String,
        predict: @escaping @Sendable (inout Oracle<Model>) throws -> String
    ) {
        self.text = text
        self.run = .read(read)
        self.call = call
        self.predict = predict
    }

    /// Creates a step that writes, in a transaction or with a call of the client.
    init(
        text: String,
        write: @escaping @Sendable (WriteTransaction) throws -> String,
        call: @escaping @Sendable (any DBClient) async throws -> String,
        predict: @escaping @Sendable (inout Oracle<Model>) throws -> String
    ) {
        self.text = text
        self.run = .write(write)
        self.call = call
        self.predict = predict
    }

    /// Runs the step as a call of its own, outside of a transaction.
    func run(on client: any DBClient) async throws -> String {
        try await Self.tellingLater {
            if let call { return try await call(client) }
            guard case .read(let body) = run else { return "not a call" }
            return try await client.read(body)
        }
    }

    /// Runs the step in a write transaction; a library error is what came of it.
    func run(in transaction: WriteTransaction) throws -> String {
        try Self.telling {
            switch run {
            case .read(let body): try body(transaction)
            case .write(let body): try body(transaction)
            }
        }
    }

    /// Runs the step in a read transaction, where it writes nothing.
    func run(in transaction: ReadTransaction) throws -> String {
        try Self.telling {
            guard case .read(let body) = run else { return "not a read" }
            return try body(transaction)
        }
    }

    /// Runs the step in the oracle.
    func run(in oracle: inout Oracle<Model>) throws -> String {
        try Self.telling { try oracle.atomically { try predict(&$0) } }
    }

    static func telling(_ body: () throws -> String) throws -> String {
        do {
            return try body()
        } catch let error as DBClientError {
            return "error \(error.code) of \(error.entity ?? "nothing")"
        } catch let error as OracleError {
            return "error \(error.code) of \(Model.schema.entity.name)"
        }
    }

    static func tellingLater(_ body: () async throws -> String) async throws -> String {
        do {
            return try await body()
        } catch let error as DBClientError {
            return "error \(error.code) of \(error.entity ?? "nothing")"
        }
    }
}
