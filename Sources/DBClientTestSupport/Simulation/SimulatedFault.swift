/// What a simulated store does to a transaction beside carrying it out.
public enum SimulatedFault: String, Hashable, Sendable, CaseIterable {
    /// The transaction has to wait first.
    case delay
    /// Another program commits first; see ``SimulatedDBClient/init(seed:_:plan:otherProgram:)``.
    case foreignCommit
    /// The transaction is refused before it begins: `.busy`, `.connectionLost` or `.timeout`.
    case refusal
    /// The server is away for this transaction and some that follow: `.connectionLost`.
    case outage
    /// A call of the transaction and all after it throw `.connectionLost`, and all that it did is undone; nothing happens
    /// to a transaction of fewer calls.
    case interruption
    /// The body runs, what it did is undone, and it runs again.
    case repetition
    /// The body runs, what it did is undone, and the call throws `.transactionConflict`; of writes alone.
    case conflict
    /// The answer to the commit is lost: `.commitOutcomeUnknown`, whether it happened or not; of writes alone.
    case lostAnswer
}
