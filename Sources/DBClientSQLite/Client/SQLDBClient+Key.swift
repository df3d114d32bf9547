public import DBClientCore
public import DBClientSQL
import Dispatch

extension SQLDBClient {
    /// Changes the key of an encrypted SQLite file.
    ///
    /// Every page is written anew in one transaction, which needs as much space on the disk as the file has. If the
    /// process ends before the call does, the file has the old key or the new one. Reads of this client go on meanwhile;
    /// its writes wait. Clients of other processes, and other clients of this one, throw `.wrongKey` from then on, their
    /// observations end, and they are to be opened again with the new key.
    ///
    /// An older copy of the file keeps the old key.
    ///
    /// - Parameter key: The new key.
    /// - Throws: `.notEncrypted` when the file has no key; `.wrongKey` for a passphrase where another program than this
    ///   library made the file; `.busy` when another process holds the store; `.io` when it could not be written;
    ///   `.unsupported` for a client of another database; `.invalidValue` as for opening; `.closed`.
    public func rekey(to key: StoreKey) async throws {
        guard let engine = engine as? SQLiteEngine else {
            throw DBClientError(.unsupported, "The client has no SQLite file.")
        }
        // The derivation and the rewriting take their time, and hold a thread.
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try engine.rekey(to: key) })
            }
        }
    }
}
