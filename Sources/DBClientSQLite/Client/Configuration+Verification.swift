extension SQLiteConfiguration {
    /// When a file is checked as a client opens it.
    public enum Verification: Sendable {
        /// When something may have written to the file since a client of this library closed it: its time says so, its
        /// log was left behind, or nothing is known of it, as of a copy, of a file of another program's and where the
        /// file system keeps no extended attributes.
        ///
        /// Up to 16 MB everything is checked that SQLite's `integrity_check` finds damaged, and up to 128 MB what
        /// `quick_check` does, which leaves the entries of indexes out. A larger file is not checked. That is a quarter of a
        /// second at most, on a machine that checks 100 MB and 600 MB in a second.
        case whenChanged
        /// Every time it is opened, by `integrity_check`, whatever the file's size.
        case always
        /// Never; damage is found only when a read meets it.
        case never
    }
}
