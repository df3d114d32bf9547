extension SQLiteConfiguration {
    /// When a file is checked as a client opens it.
    public enum Verification: Sendable {
        /// When another program may have written to the file since a client of this library closed it: its time of
        /// modification has changed, its log was left behind, or nothing is known of it, as for a copy, for a file of
        /// another program, and on a file system without extended attributes.
        ///
        /// A file of up to 16 MB is checked by SQLite's `integrity_check`, one of up to 128 MB by `quick_check`, which
        /// leaves out the entries of indexes. A larger file is not checked. That takes a quarter of a second at most,
        /// on a machine that checks 100 MB and 600 MB in a second.
        case whenChanged
        /// Every time it is opened, by `integrity_check`, whatever the file's size.
        case always
        /// Never; damage is found only when a read meets it.
        case never
    }
}
