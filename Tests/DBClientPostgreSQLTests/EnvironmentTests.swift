import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

/// What variables of the environment and the files that they name do to a connection.
///
/// Each test changes the environment of a process of its own.
struct EnvironmentTests {
    @Test("What a service says counts, and where it is silent the driver is strict")
    func services() async {
        await #expect(processExitsWith: .success) {
            let file = try Files.write(
                "services",
                """
                [remote]
                host=db.example.org
                [local]
                host=/run/postgresql
                [lowered]
                host=db.example.org
                sslmode=require
                [raised]
                host=127.0.0.1
                sslmode=verify-ca
                sslrootcert=/nowhere/root.crt
                ssl_min_protocol_version=TLSv1.3
                """
            )
            setenv("PGSERVICEFILE", file, 1)
            try expect("sslmode", of: "service=remote", "verify-full")
            try expect("sslmode", of: "service=local", "prefer")
            try expect("sslmode", of: "service=lowered", "require")
            try expect("sslmode", of: "service=remote sslmode=require", "require")
            try expect("sslmode", of: "service=raised", "verify-ca")
            try expect("sslrootcert", of: "service=raised", nil)
            try expect("ssl_min_protocol_version", of: "service=raised", "TLSv1.3")
            #expect(await code { _ = try effective("host", of: "service=no") } == .invalidRequest)
            setenv("PGSERVICE", "remote", 1)
            try expect("sslmode", of: "user=app", "verify-full")
            setenv("PGSERVICE", "local", 1)
            try expect("sslmode", of: "user=app", "prefer")
            Files.remove(file)
        }
    }

    @Test("The environment may ask for more than the driver")
    func stricterEnvironment() async {
        await #expect(processExitsWith: .success) {
            setenv("PGSSLMODE", "verify-full", 1)
            setenv("PGCHANNELBINDING", "require", 1)
            setenv("PGSSLMINPROTOCOLVERSION", "TLSv1.3", 1)
            setenv("PGGSSENCMODE", "require", 1)
            setenv("PGSSLROOTCERT", "/nowhere/root.crt", 1)
            for text in ["host=127.0.0.1", "host=db"] {
                try expect("sslmode", of: text, "verify-full")
                try expect("channel_binding", of: text, "require")
                try expect("ssl_min_protocol_version", of: text, "TLSv1.3")
                // Left to libpq, which reads them there.
                try expect("sslrootcert", of: text, nil)
                try expect("gssencmode", of: text, nil)
            }
            try expect("sslmode", of: "host=db sslmode=require", "require")
        }
    }

    @Test("The environment may not ask for less")
    func laxEnvironment() async {
        await #expect(processExitsWith: .success) {
            setenv("PGSSLMODE", "disable", 1)
            setenv("PGCHANNELBINDING", "disable", 1)
            setenv("PGSSLMINPROTOCOLVERSION", "TLSv1", 1)
            try expect("sslmode", of: "host=db", "verify-full")
            try expect("sslmode", of: "host=127.0.0.1", "prefer")
            try expect("channel_binding", of: "host=db", "prefer")
            try expect("ssl_min_protocol_version", of: "host=db", "TLSv1.2")
            setenv("PGHOST", "db.example.org", 1)
            try expect("sslmode", of: "user=app", "verify-full")
        }
    }

    @Test("A password file and a service file let in", .enabled(if: Server.isThere))
    func files() async throws {
        let administrator = try await SQLDBClient.postgreSQL(try #require(Server.url))
        _ = try? await administrator.execute("CREATE ROLE \"locked\" LOGIN")
        _ = try? await administrator.execute("ALTER ROLE \"locked\" PASSWORD 'richtig'")
        try administrator.close()
        await #expect(processExitsWith: .success) {
            let port = Server.port
            let right = try Files.write("right", "127.0.0.1:\(port):*:locked:richtig\n")
            let wrong = try Files.write("wrong", "127.0.0.1:\(port):*:locked:falsch\n")
            let plain = "host=127.0.0.1 port=\(port) dbname=postgres user=locked"
            #expect(try await user("\(plain) passfile=\(right)") == "locked")
            for file in [wrong, "/nowhere"] {
                let found = await code { _ = try await user("\(plain) passfile=\(file)") }
                #expect(found == .permission)
            }
            let services = try Files.write(
                "services",
                """
                [heroes]
                host=127.0.0.1
                port=\(port)
                dbname=postgres
                user=locked
                passfile=\(right)

                """
            )
            setenv("PGSERVICEFILE", services, 1)
            #expect(try await user("service=heroes") == "locked")
            #expect(try await user("postgres:///?service=heroes") == "locked")
            #expect(await code { _ = try await user("service=villains") } == .invalidRequest)
            for file in [right, wrong, services] { Files.remove(file) }
        }
    }
}

/// Returns what libpq is told of an option; nil when that is left to it.
private func effective(_ key: String, of text: String) throws -> String? {
    try ConnectionString.parameters(text, PostgreSQLConfiguration()).values
        .first { $0.key == key }?.value
}

/// Expects what libpq is told of an option.
private func expect(_ key: String, of text: String, _ value: String?) throws {
    let found = try effective(key, of: text)
    #expect(found == value, "\(key) of \(text)")
}

/// Returns the role that the server takes a client for.
private func user(_ text: String) async throws -> String? {
    let client = try await SQLDBClient.postgreSQL(text)
    let rows = try await client.rows("SELECT current_user::text AS name")
    try client.close()
    return rows.first?["name", as: String.self]
}

/// Files that only their owner may read, as libpq wants them.
private enum Files {
    static func write(_ name: String, _ text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("DBClient-\(name)-\(UUID().uuidString)").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        return path
    }

    static func remove(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }
}
