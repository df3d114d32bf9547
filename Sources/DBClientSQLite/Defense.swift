import GRDBSQLite

#if canImport(Glibc)
import Glibc
#endif

/// What a connection refuses of a file that someone else made.
enum SQLiteDefense {
    /// Functions in a schema are not trusted, pages are checked before use, and the file's internals
    /// cannot be written by a statement.
    static let pragmas = "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;"

    /// Switches defensive mode on, where it can be.
    ///
    /// `sqlite3_db_config` takes a variable number of arguments, so Swift does not import it. Where
    /// such arguments are passed like any others, which holds for the C ABI of Linux and not for
    /// that of Apple's processors, it is called through a pointer of a fixed type.
    static func apply(to connection: OpaquePointer) {
        #if canImport(Glibc)
        typealias Configure =
            @convention(c) (
                OpaquePointer, Int32, Int32, UnsafeMutablePointer<Int32>?
            ) -> Int32
        guard let symbol = dlsym(nil, "sqlite3_db_config") else { return }
        let configure = unsafeBitCast(symbol, to: Configure.self)
        _ = configure(connection, 1_010, 1, nil)
        #endif
    }
}
