import CLibPQ
import DBClientCore

extension PostgreSQLConnection {
    /// Whether a call by itself may be sent without waiting before or after it.
    var canSuspendCall: Bool { keepsStatements && released.isEmpty && isIdle }

    /// Returns the error of a body that has to wait for what it must not.
    func refuse() -> any Error {
        suspension?.isRefused = true
        return CallIsSuspended.error
    }

    /// Whether a call wants what it would have to wait for.
    var isRefused: Bool { suspension?.isRefused == true }

    /// Whether a call's statement was sent and is not answered yet.
    var isAwaited: Bool { suspension?.progress == .awaited }

    /// Runs a statement: takes an answer that has arrived, or, where the thread must not wait, sends the
    /// statement and leaves the body, unless the answer comes at once.
    func run(_ statement: PostgreSQLStatement) throws -> Result {
        if let answer {
            self.answer = nil
            if answer.statement === statement, statement.parameters.areSet(to: answer.parameters) {
                return try result(of: answer)
            }
        } else if let progress = suspension?.progress, progress != .answered, !isRefused {
            // A body that goes on after it was left is left again.
            if progress == .awaited { throw CallIsSuspended.error }
            _ = renewedDeadline()
            guard statement.send(link.handle) == 1 else { throw link.broken() }
            suspension?.sent = SentCall(statement: statement)
            suspension?.progress = .awaited
            if let answer = try answerAtOnce() { return try result(of: answer) }
            suspension?.sent?.parameters = statement.parameters.bytes
            throw CallIsSuspended.error
        }
        return try collect(statement)
    }

    private func result(of answer: SentCall) throws -> Result {
        guard let result = answer.result else { throw link.broken() }
        if result.hasFailed { throw failure(of: result.handle) }
        succeed()
        return result
    }

    /// Returns the answer to what was sent if it comes at once.
    private func answerAtOnce() throws -> SentCall? {
        #if os(Linux)
        do {
            // A server that shares the processor has often answered by now.
            guard try receiveAnswer() == nil else { return nil }
        } catch {
            suspension?.progress = .answered
            throw error
        }
        defer { answer = nil }
        return answer
        #else
        return nil
        #endif
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
                suspension?.progress = .answered
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
