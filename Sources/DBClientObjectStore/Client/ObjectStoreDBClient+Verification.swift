extension ObjectStoreDBClient {
    /// When the whole file is read and checked before a client opens it, as `verify(at:)` does.
    ///
    /// LMDB believes what it finds in a file, and damage may end the process or make it read wrong rows.
    public enum Verification: Sendable {
        /// When something may have written to the file that was no client of this library: its time says so, a client
        /// ended in the middle of a commit, or nothing is known of it, as after a power cut, after a copy was put
        /// back, and when the file of the locks is gone. Not while another process writes to the store.
        case whenChanged
        /// Every time that a client opens it.
        case always
        /// Never: the beginning of the file and the first page of each table are checked, and each record as it is
        /// read.
        case never
    }
}
