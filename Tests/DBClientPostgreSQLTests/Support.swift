import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import Foundation
import Testing

/// The server that the tests share, by `DBCLIENT_POSTGRES_URL`.
enum Server {
    static let url = ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"]

    static var isThere: Bool { url != nil }

    /// Whether the long forms run, by `DBCLIENT_LONG`.
    static let isLong = ProcessInfo.processInfo.environment["DBCLIENT_LONG"] != nil

    /// Runs a body with a client whose tables are in a schema of their own.
    static func withClient(
        _ configuration: PostgreSQLConfiguration = PostgreSQLConfiguration(),
        url: String? = Server.url,
        _ body: (SQLDBClient, _ schema: String) async throws -> Void
    ) async throws {
        let url = try #require(url)
        let schema = "test_\(UUID().uuidString)"
        let administrator = try await SQLDBClient.postgreSQL(url)
        try await administrator.execute("CREATE SCHEMA \(identifier: schema)")
        var configuration = configuration
        configuration.schema = schema
        let client = try await SQLDBClient.postgreSQL(url, configuration: configuration)
        do {
            try await body(client, schema)
        } catch {
            try? client.close()
            throw error
        }
        try client.close()
        try await administrator.execute("DROP SCHEMA \(identifier: schema) CASCADE")
        try administrator.close()
    }

    /// Returns a client of a schema, over a port of this machine where one is named.
    static func client(
        port: Int? = nil,
        schema: String,
        _ configuration: PostgreSQLConfiguration = PostgreSQLConfiguration()
    ) async throws -> SQLDBClient {
        var configuration = configuration
        configuration.schema = schema
        let text = try url { components in
            guard let port else { return }
            components.port = port
            components.host = "127.0.0.1"
        }
        return try await SQLDBClient.postgreSQL(text, configuration: configuration)
    }

    /// Returns the server's URL, changed by a body.
    static func url(_ change: (inout URLComponents) -> Void) throws -> String {
        let url = try #require(url)
        var components = try #require(URLComponents(string: url))
        change(&components)
        return try #require(components.string)
    }

    /// Returns the server's URL with one more keyword.
    static func url(_ keyword: String, _ value: String) throws -> String {
        try url { components in
            components.queryItems =
                (components.queryItems ?? []) + [URLQueryItem(name: keyword, value: value)]
        }
    }

    /// Returns the server's URL for another role.
    static func url(role: String, password: String? = nil, database: String? = nil) throws -> String
    {
        try url { components in
            components.user = role
            components.password = password
            if let database { components.path = "/" + database }
        }
    }

    static var port: Int {
        url.flatMap { URLComponents(string: $0)?.port } ?? 5_432
    }

    static var host: String {
        let host = url.flatMap { URLComponents(string: $0)?.host } ?? ""
        return host.isEmpty ? "127.0.0.1" : host
    }
}

@Stored struct Counter: Equatable {
    let id: Int
    var value: Int

    init(_ id: Int, _ value: Int = 0) {
        self.id = id
        self.value = value
    }
}

@Stored struct Note: Equatable {
    @PrimaryKey(.generated) let id: Int
    @Unique var text: String
    var tags: [String]

    init(_ id: Int = 0, _ text: String, tags: [String] = []) {
        self.id = id
        self.text = text
        self.tags = tags
    }
}

/// Returns the code of the error that a body throws.
func code(_ body: () async throws -> Void) async -> DBClientError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? DBClientError)?.code
    }
}

/// Waits for something that happens soon.
func waitUntil(_ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(10)
    while try await !condition() {
        try #require(ContinuousClock.now < end, "What was waited for did not happen.")
        try await Task.sleep(for: .milliseconds(2))
    }
}
