import DBClientCore

/// How far a read by one call has come that has no transaction, since one statement is a snapshot by
/// itself.
///
/// Beginning and ending a transaction would be two statements more.
enum SQLCall {
    /// There is a transaction, or nothing is read.
    case none
    /// The statement is still to come.
    case awaited
    /// The statement ran and its rows were read.
    case answered
}

/// A call took a second statement, which another snapshot would answer.
///
/// A body may wrap or swallow it: ``SQLTransaction/callTakesStatements`` is set all the same.
struct SQLCallTakesStatements: Error {}

extension SQLTransaction {
    /// Begins a transaction where a call that has none needs several statements.
    ///
    /// - Parameter isOne: Whether what follows is one statement.
    /// - Throws: `SQLCallTakesStatements` when the call had its statement, and what beginning throws.
    func enterCall(isOne: Bool) throws {
        switch call {
        case .none: return
        case .awaited where isOne: call = .answered
        case .awaited:
            try connection.begin(.read)
            call = .none
        case .answered:
            callTakesStatements = true
            throw SQLCallTakesStatements()
        }
    }
}
