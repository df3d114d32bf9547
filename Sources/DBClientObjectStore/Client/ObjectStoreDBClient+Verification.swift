extension ObjectStoreDBClient {
    /// When the whole file is read and checked before a client opens it, as `verify(at:)` does.
    ///
    /// LMDB trusts the content of a file, and damage may end the process or make it read wrong rows.
    public enum Verification: Sendable {
        /// When another program may have written to the file: its time of modification is later, a client ended in the
        /// middle of a commit, or nothing is known of it, as after a power cut, after a copy was restored, and when the
        /// lock file is gone. Not while another process writes to the store.
        case whenChanged
        /// Every time that a client opens it.
        case always
        /// Never: the beginning of the file and the first page of each table are checked, and each record as it is
        /// read.
        case never
    }
}
