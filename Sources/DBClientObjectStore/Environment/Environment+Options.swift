import DBClientCore

extension Environment {
    /// The options that an environment is opened with, on which all clients of a store in a process must agree.
    struct Options: Equatable {
        var durability: Durability
        /// Whether the store is deleted with its client, so that nothing need reach the disk and no other
        /// process can open it.
        var isTemporary = false
        /// How long a write waits for one of another process, and a resize of the map for the transactions
        /// that run.
        var busyTimeout = Duration.seconds(5)
        /// When the file is checked as it is opened.
        var verification = ObjectStoreDBClient.Verification.whenChanged
        var mapSize: Int
        var maximumReaders: UInt32 = 512
        /// So many tables have room at least, the store's own included, and always twice as many as there are when
        /// the store is opened: LMDB's data of each table is allocated for every reader, and copied in part for
        /// every write.
        var maximumTables: UInt32 = 2_048

        /// Whether clients with both can share an environment, which is opened once.
        func agree(with other: Options) -> Bool {
            var other = other
            other.verification = verification
            return self == other
        }
    }
}
