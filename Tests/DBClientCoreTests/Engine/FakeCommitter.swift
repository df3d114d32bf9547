import DBClientCore
import Synchronization

/// Commits to the fake engine, or fails as it is told.
final class FakeCommitter: GroupCommitter {
    let engine = FakeEngine()
    /// What the next commits throw; nil stands for success.
    let commitFailures = Mutex<[(any Error)?]>([])
    let beginFailures = Mutex<[any Error]>([])
    /// How often a failure can still be repaired.
    let repairs = Mutex(0)

    func begin() throws -> any EngineWriter {
        if let error = beginFailures.withLock({ $0.popLast() }) { throw error }
        return engine.begin()
    }

    func commit(_ writer: any EngineWriter) throws {
        let error = commitFailures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let error { throw error }
        if let writer = writer as? FakeWriter { engine.commit(writer) }
    }

    func rollback(_ writer: any EngineWriter) {
        if let writer = writer as? FakeWriter { engine.rollback(writer) }
    }

    func recover(from error: any Error) -> (any Error)? {
        repairs.withLock { repairs in
            if repairs == 0 { return error }
            repairs -= 1
            return nil
        }
    }
}
