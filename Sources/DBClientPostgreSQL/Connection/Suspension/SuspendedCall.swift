#if os(Linux)
import DBClientCore

/// A call by itself that no thread waits for: its task is suspended while the server works.
///
/// The body may run twice. The first time, on the caller's thread, its statement is sent and the body left.
/// Unless the answer comes at once, the reactor's thread runs the body again when it has arrived, and the body
/// finds it there. So a call costs one change of threads at most, not two, and calls at once share the waiting. A call that has to wait for more than one answer, fails, or takes long to read its answer
/// goes on on a thread of the pool's.
final class SuspendedCall: ReactorHandler, @unchecked Sendable {
    // Used by one thread at a time: the caller's until the statement is sent, then the reactor's.
    private let session: Session
    private let unit: UnitOfWork
    /// Runs the body, or has a thread go on after what it failed for; returns whether the call still has the
    /// session, and awaits the answer on it.
    private let take: (Step, SuspendedCall) -> Bool

    private enum Step {
        case body
        case goOn(after: (any Error)?)
    }

    /// More rows than this are read by another thread than the reactor's.
    private static var largeCount: Int32 { 64 }

    /// Creates a call on a connection of the engine's pool, to which it is given back.
    ///
    /// What depends on the type of the value is in a function, since a class for each type would be looked up
    /// with each call.
    init<Value: Sendable>(
        _ engine: PostgreSQLEngine,
        _ session: Session,
        _ unit: UnitOfWork,
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value,
        _ continuation: UnsafeContinuation<Value, any Error>
    ) {
        self.session = session
        self.unit = unit
        take = { step, call in
            let session = call.session
            switch step {
            case .body:
                do {
                    let value = try call.unit.runCall(on: session, body)
                    if session.connection.isAwaited { return true }
                    guard call.mayEnd() else { return false }
                    engine.pool.give(session)
                    continuation.resume(returning: value)
                } catch {
                    if session.connection.isAwaited { return true }
                    call.fail(error)
                }
            case .goOn(let failure):
                engine.runOnThread(call.unit, after: failure, body, continuation) {
                    Lease(session, engine.pool)
                }
            }
            return false
        }
    }

    /// Sends the call's statement, and resumes the task once the answer is there.
    func begin(_ reactor: Reactor) {
        let connection = session.connection
        guard connection.canSuspendCall else { return goOn() }
        guard unit.arm(connection) else { return goOn(after: UnitCancellation.error) }
        connection.suspension = CallSuspension()
        // Otherwise the answer came at once, nothing was sent, or the call goes on elsewhere: the session is
        // another's by now.
        guard take(.body, self) else { return }
        do {
            reactor.wait(for: connection.link.socket, try connection.link.interest, self)
        } catch {
            fail(error)
        }
    }

    /// Reads what has arrived, and ends the call when that is the answer.
    func advance() -> Reactor.Interest? {
        let connection = session.connection
        do {
            if let interest = try connection.receiveAnswer() { return interest }
        } catch {
            fail(error)
            return nil
        }
        if let result = connection.answer?.result, result.rowCount > Self.largeCount {
            fail(connection.refuse())
        } else {
            _ = take(.body, self)
        }
        return nil
    }

    /// Returns whether the call ends with what its body has come to; if not, it goes on elsewhere.
    private func mayEnd() -> Bool {
        let isRefused = session.connection.isRefused
        session.connection.suspension = nil
        guard unit.disarmAtOnce() else {
            goOn(after: UnitCancellation.error)
            return false
        }
        if isRefused { goOn() }
        return !isRefused
    }

    /// Has a thread run the call, which may wait.
    private func goOn(after failure: (any Error)? = nil) {
        _ = take(.goOn(after: failure), self)
    }

    private func fail(_ error: any Error) {
        if mayEnd() { goOn(after: error) }
    }
}
#endif
