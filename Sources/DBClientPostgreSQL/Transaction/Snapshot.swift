import DBClientCore
import DBClientSQL
import Synchronization

/// A transaction of a connection that stays open until the snapshot is released, or the server ends it.
final class PostgreSQLSnapshot: EngineSnapshot {
    private let held: HeldSnapshot<SQLTransaction>
    private let session: Session
    private let isLetGo = Atomic(false)

    init(
        _ session: Session,
        _ pool: ConnectionPool,
        check: @escaping @Sendable () throws -> Void
    ) {
        self.session = session
        held = HeldSnapshot(session.transaction, check: check) { transaction in
            transaction.rollback()
            pool.give(session)
        }
    }

    /// Whether it was not released yet.
    var isHeld: Bool { !isLetGo.load(ordering: .acquiring) }

    /// Runs a body on the snapshot; nil also when the server has ended it, for idling too long or
    /// otherwise.
    func read<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value? {
        do {
            return try held.read(body)
        } catch let error as DBClientError where error.code == .connectionLost {
            release()
            return nil
        } catch let error as DBClientError
            where error.isStale || error.isAboutReplacedTable || error.isAboutCachedPlan
        {
            // The next one is taken of the tables as they are.
            session.transaction.forgetSchema()
            release()
            return nil
        } catch  where session.connection.state.verdict == .lacking {
            // The next one is taken without what the server lacks.
            release()
            return nil
        } catch let error as DBClientError where error.engineMessage != nil {
            // After an error of the server's the transaction answers nothing any more.
            release()
            throw error
        }
    }

    func release() {
        isLetGo.store(true, ordering: .releasing)
        held.release()
    }
}
