import DBClientPostgreSQL
import Synchronization

/// What a client has warned of.
final class Warnings: Sendable {
    private let list = Mutex<[PostgreSQLConnectionWarning]>([])

    var all: [PostgreSQLConnectionWarning] { list.withLock { $0 } }

    func append(_ warning: PostgreSQLConnectionWarning) {
        list.withLock { $0.append(warning) }
    }
}
