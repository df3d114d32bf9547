#if os(Linux)
import DBClientCore

/// A call by itself that no thread waits for: its task is suspended while the server works.
///
/// The body runs twice. The first time, on the caller's thread, its statement is sent and the body left.
/// Once the answer has arrived, the reactor's thread runs the body again, which finds it there. So a call
/// costs one change of threads, not two, and calls at once share the waiting. A call that has to wait for
/// more than one answer, fails, or takes long to read its answer goes on on a thread of the pool's.
final class SuspendedCall<Value: Sendable>: ReactorHandler, @unchecked Sendable {
    typealias Body = @Sendable (any EngineWriter) throws -> Value

    // Used by one thread at a time: the caller's until the statement is sent, then the reactor's.
    private let engine: PostgreSQLEngine
    private let session: Session
    private let unit: UnitOfWork
    private let body: Body
    private let continuation: UnsafeContinuation<Value, any Error>

    /// More rows than this are read by another thread than the reactor's.
    private static var largeCount: Int32 { 64 }

    /// Creates a call on a connection of the engine's pool, to which it is given back.
    init(
        _ engine: PostgreSQLEngine,
        _ session: Session,
        _ unit: UnitOfWork,
        _ body: @escaping Body,
        _ continuation: UnsafeContinuation<Value, any Error>
    ) {
        self.engine = engine
        self.session = session
        self.unit = unit
        self.body = body
        self.continuation = continuation
    }

    /// Sends the call's statement, and resumes the task once the answer is there.
    func begin(_ reactor: Reactor) {
        let connection = session.connection
        guard connection.canSuspendCall else { return goOn() }
        guard unit.arm(connection) else { return goOn(after: UnitCancellation.error) }
        connection.suspension = CallSuspension()
        let result = attempt()
        guard connection.suspension?.sent != nil else { return end(result) }
        do {
            reactor.wait(for: connection.link.socket, try connection.link.interest, self)
        } catch {
            end(.failure(error))
        }
    }

    /// Reads what has arrived, and ends the call when that is the answer.
    func advance() -> Reactor.Interest? {
        let connection = session.connection
        do {
            if let interest = try connection.receiveAnswer() { return interest }
        } catch {
            end(.failure(error))
            return nil
        }
        if let result = connection.answer?.result, result.rowCount > Self.largeCount {
            end(.failure(connection.refuse()))
        } else {
            end(attempt())
        }
        return nil
    }

    private func attempt() -> Swift.Result<Value, any Error> {
        Swift.Result { try unit.runCall(on: session, body) }
    }

    private func end(_ result: Swift.Result<Value, any Error>) {
        let isRefused = session.connection.suspension?.isRefused == true
        session.connection.suspension = nil
        guard unit.disarmAtOnce() else { return goOn(after: UnitCancellation.error) }
        if isRefused { return goOn() }
        switch result {
        case .success(let value):
            engine.pool.give(session)
            continuation.resume(returning: value)
        case .failure(let error): goOn(after: error)
        }
    }

    /// Has a thread run the call, which may wait.
    private func goOn(after failure: (any Error)? = nil) {
        engine.runOnThread(unit, after: failure, body, continuation) { [engine, session] in
            Lease(session, engine.pool)
        }
    }
}
#endif
