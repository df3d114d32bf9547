/// One snapshot of a store: what it reads does not change while it lasts.
///
/// Received by the body of `client.read`. Using it after the body has returned throws
/// `.transactionEnded`. Not for use by two threads at once.
///
/// Its calls are those of ``ReadCalls``.
public class ReadTransaction: ReadCalls {
    /// The engine's side; nil once the transaction has ended.
    @exclusivity(unchecked) private var openReader: (any EngineReader)?
    /// The type of the client, which knows how its engine keeps models.
    public final let clientType: any EngineBackedClient.Type
    /// The interceptors between the calls and the engine, outermost first.
    @usableFromInline final let interceptors: [any TransactionInterceptor]
    /// The outermost transaction that this one is a part of, as a savepoint or as a view through interceptors; nil for
    /// an outermost one.
    ///
    /// They share their live rows. Held at any depth, since savepoints may be as deep as an operation is long.
    private final let root: ReadTransaction?
    /// The live rows, made when they are first asked for.
    @exclusivity(unchecked) private var context: EntityContext?
    /// How many savepoints are open; of use in the outermost transaction.
    @exclusivity(unchecked) private var savepoints = 0

    /// Creates a transaction on an engine's reader.
    @usableFromInline
    init(
        _ reader: any EngineReader,
        _ clientType: any EngineBackedClient.Type,
        _ interceptors: [any TransactionInterceptor] = [],
        in outer: ReadTransaction? = nil
    ) {
        openReader = reader
        self.clientType = clientType
        self.interceptors = interceptors
        root = outer.map(\.outermost)
    }

    /// Runs a body on the transaction itself.
    public final func reading<Value>(
        asOneCall isOneCall: Bool,
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value {
        try body(self)
    }

    /// Ends the transaction: later calls throw.
    final func end() {
        openReader = nil
        context?.end()
    }

    /// The engine's side of the transaction, with what live rows hold written to it.
    ///
    /// - Throws: `.transactionEnded` when the transaction is over.
    final func reader() throws -> any EngineReader {
        guard let openReader else {
            throw DBClientError(
                .transactionEnded,
                "The transaction has ended.",
                hint: "Use it only inside the body that received it."
            )
        }
        // Every call sees what entities hold.
        if let context = openContext { try context.flush() }
        return openReader
    }

    /// Returns what reads the rows of a query, those that are put together or walked to as well.
    final func reader(of query: RowQuery) throws -> any EngineReader {
        let reader = try reader()
        if query.walk != nil || query.join != nil, query.isRanked {
            throw DBClientError.rankMisplaced
        }
        if query.walk != nil { return try reader.canWalk(query) ? reader : WalkingReader(reader) }
        if try query.join == nil || reader.canJoin(query) { return reader }
        return JoiningReader(reader)
    }

    /// The transaction that this one is a part of, at any depth; by itself, the transaction.
    final var outermost: ReadTransaction { root ?? self }

    /// Whether what is read here may never be committed: in a write, and in a read that has joined one.
    package final var isPartOfWrite: Bool { outermost is WriteTransaction }

    /// The live rows of the outermost transaction; nil until they are asked for.
    final var openContext: EntityContext? { outermost.context }

    /// How many savepoints of the outermost transaction are open.
    final var openSavepoints: Int {
        get { outermost.savepoints }
        set {
            let outermost = outermost
            outermost.savepoints = newValue
            guard let context = outermost.context else { return }
            if newValue == 0 {
                context.journal = nil
            } else if context.journal == nil {
                context.journal = SavepointJournal()
            }
        }
    }

    /// Makes the context of the transaction's live rows.
    func makeEntities(_ reader: any EngineReader) -> EntityContext {
        EntityContext(reader)
    }

    /// Returns the live rows of the outermost transaction.
    final func openEntities() throws -> EntityContext {
        let reader = try reader()
        if let root { return try root.openEntities() }
        if let context { return context }
        let made = makeEntities(reader)
        if savepoints > 0 { made.journal = SavepointJournal() }
        context = made
        return made
    }
}
