import Foundation
import GRDBSQLite

/// A connection that knows nothing of the library: another program on the same file.
final class RawConnection {
    private var handle: OpaquePointer?

    init(_ url: URL) {
        sqlite3_open(url.path, &handle)
    }

    deinit {
        sqlite3_close(handle)
    }

    /// Runs statements and returns the result code.
    @discardableResult
    func run(_ sql: String) -> Int32 {
        sqlite3_exec(handle, sql, nil, nil, nil)
    }
}

/// Returns how many commits the write-ahead log of a store holds: the frames that end one.
func commitsInLog(of store: URL) throws -> Int {
    let log = try Data(contentsOf: URL(fileURLWithPath: store.path + "-wal"))
    func number(_ offset: Int) -> Int {
        log[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    guard log.count > 32 else { return 0 }
    let frame = 24 + number(8)
    return stride(from: 32, through: log.count - frame, by: frame).count { offset in
        // Frames of the log's present round carry its salt.
        number(offset + 4) != 0 && number(offset + 8) == number(16)
    }
}
