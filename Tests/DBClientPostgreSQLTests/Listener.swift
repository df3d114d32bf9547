import DBClientCore
import Testing

@testable import DBClientPostgreSQL

/// A connection that listens as the version before this one did.
final class Listener: @unchecked Sendable {
    // Used by one thread at a time.
    private let connection: PostgreSQLConnection
    private let wakeup = WakeupPipe()

    init(_ schema: String) throws {
        var configuration = PostgreSQLConfiguration()
        configuration.schema = schema
        connection = try PostgreSQLConnection(
            try ConnectionString.parameters(try #require(Server.url), configuration),
            configuration
        )
        try connection.execute("LISTEN dbclient_journal")
    }

    /// Waits until it is called.
    func wait() async throws {
        try await onThread { [self] in
            let isCalled = try connection.link.waitForNotification(5_000, or: wakeup)
            #expect(isCalled)
        }
    }

    /// Waits a moment and returns whether it is called.
    func isCalled() async throws -> Bool {
        try await onThread { [self] in try connection.link.waitForNotification(100, or: wakeup) }
    }

    /// Takes what it is called for until nothing has come for a while.
    func drain() async throws {
        try await onThread { [self] in
            while try connection.link.waitForNotification(300, or: wakeup) {}
        }
    }

    func close() {
        connection.close()
    }
}
