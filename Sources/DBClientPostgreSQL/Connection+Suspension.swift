import CLibPQ
import DBClientCore

/// A call by itself that is run by a thread which must not wait for the server.
struct CallSuspension {
    /// The call's statement, from when it is sent until it is answered.
    var sent: SentCall?
    /// Whether the answer is there.
    var isAnswered = false
    /// Whether the call wants what it would have to wait for.
    var isRefused = false
}

/// A statement that was sent with its parameters.
struct SentCall {
    let statement: PostgreSQLStatement
    let parameters: [UInt8]
    /// The last result that has arrived.
    var result: Result?

    init(_ statement: PostgreSQLStatement) {
        self.statement = statement
        parameters = statement.parameters.bytes
    }
}

/// Thrown out of the body of a call that has to wait.
struct CallIsSuspended: Error {}

extension PostgreSQLConnection {
    /// Whether a call by itself may be sent without waiting before or after it.
    var canSuspendCall: Bool { configuration.keepsPreparedStatements && released.isEmpty && isIdle }

    /// Returns the error of a body that has to wait for what it must not.
    func refuse() -> CallIsSuspended {
        suspension?.isRefused = true
        return CallIsSuspended()
    }

    /// Runs a statement: takes the answer that is there, or, where it must not be waited for, sends the
    /// statement and leaves the body.
    func run(_ statement: PostgreSQLStatement) throws -> Result {
        if let answer {
            self.answer = nil
            if answer.statement === statement, answer.parameters == statement.parameters.bytes {
                guard let result = answer.result else { throw link.broken() }
                if result.hasFailed { throw failure(of: result.handle) }
                succeed()
                return result
            }
        } else if let suspension, !suspension.isAnswered, !suspension.isRefused {
            // A body that goes on after it was left is left again.
            guard suspension.sent == nil else { throw CallIsSuspended() }
            _ = renewedDeadline()
            guard statement.send(link.handle) == 1 else { throw link.broken() }
            self.suspension?.sent = SentCall(statement)
            throw CallIsSuspended()
        }
        return try collect(statement)
    }

    #if os(Linux)
    /// Reads what has arrived of the answer to what was sent, and returns what is to be waited for; nil when
    /// all of it is there.
    ///
    /// - Throws: That the server does not answer; what it says is found by the statement.
    func receiveAnswer() throws -> Reactor.Interest? {
        try link.consume()
        let interest = try link.interest
        while !link.isBusy {
            guard let result = PQgetResult(link.handle) else {
                answer = suspension?.sent
                suspension?.sent = nil
                suspension?.isAnswered = true
                return nil
            }
            suspension?.sent?.result = Result(result)
        }
        try link.check(deadline)
        return interest
    }
    #endif
}

#if os(Linux)
extension Link {
    /// What a reactor has to wait for; sends what there is room for.
    var interest: Reactor.Interest {
        get throws { try flushAtOnce() ? .input : .inputOrRoom }
    }
}
#endif
