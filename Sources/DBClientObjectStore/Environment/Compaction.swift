import Synchronization

/// What a caller waits for that wants a store compacted.
final class Compaction: Sendable {
    /// What came of it, once the thread whose turn it is to write has done it.
    let result = Mutex<Result<Int, any Error>?>(nil)
}
