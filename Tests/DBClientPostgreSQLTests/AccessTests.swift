import DBClientCore
import DBClientSQL
import Foundation
import Testing
import TrustRow

@testable import DBClientPostgreSQL

/// Which roles may log in, over which connections, and what is told about it.
@Suite(.serialized) struct AccessTests {
    private func value(_ key: String, of text: String) throws -> String? {
        try ConnectionString.parameters(text, PostgreSQLConfiguration()).values
            .first { $0.key == key }?.value
    }

    @Test("Hosts that are not this machine are verified unless the string says otherwise")
    func verification() throws {
        for remote in [
            "postgres://app@db.example.org/x", "host=10.0.0.1", "hostaddr=10.0.0.1",
            "postgres://app@localhost,db2/x", "host=/tmp,db",
        ] {
            #expect(try value("sslmode", of: remote) == "verify-full", "\(remote)")
        }
        for local in ["postgres://app@localhost/x", "host=127.0.0.1", "host=/run/postgresql"] {
            #expect(try value("sslmode", of: local) == "prefer", "\(local)")
        }
        #expect(try value("sslmode", of: "host=db sslmode=require") == "require")
        #expect(try value("ssl_min_protocol_version", of: "host=db") == "TLSv1.2")
    }

    @Test("Only an address of this machine is one, whatever its name begins with")
    func localAddresses() throws {
        for remote in [
            "host=127.example.org", "host=127.0.0.1.example.org", "hostaddr=128.0.0.1",
            "host=127.0.0.1 hostaddr=10.0.0.1", "host=localhost,db hostaddr=127.0.0.1,",
        ] {
            #expect(try value("sslmode", of: remote) == "verify-full", "\(remote)")
        }
        for local in [
            "host=127.0.0.53", "host=::1", "host=db hostaddr=127.0.0.1", "host=@abstract", "port=1",
        ] {
            #expect(try value("sslmode", of: local) == "prefer", "\(local)")
        }
    }

    @Test(
        "A string that is not understood is refused without being shown",
        .counts(for: "R17", part: "connection")
    )
    func malformedString() throws {
        for text in ["postgres://[", "host", "password=geheim x", "postgres://a:geheim@h:p:q/x?y"] {
            let error = #expect(throws: DBClientError.self) {
                try ConnectionString.parameters(text, PostgreSQLConfiguration())
            }
            #expect(error?.code == .invalidRequest)
            #expect(!String(reflecting: error).contains("geheim"))
        }
    }

    /// The secret is a password's part that is not percent-encoded, or an option that a person mistook.
    static let impossibleStrings = [
        "postgres://u:x@geheim@127.0.0.1/db", "postgres://u:geheim/x@127.0.0.1/db",
        "postgres://u:geheim?x@127.0.0.1/db", "postgres://u:1/geheim@127.0.0.1/db",
        "postgres://u:a#geheim@127.0.0.1/db", "postgres://u:a geheim@127.0.0.1/db",
        "postgres://u:50%geheim@127.0.0.1/db", "postgres://u@127.0.0.1:geheim/db",
        "postgres://u@127.0.0.1:70000/geheim", "postgres://u@[::1/geheim",
        "postgres://u@[::1]geheim/db",
        "postgres://u@127.0.0.1/a/geheim", "postgres://u@ge%40heim/db",
        "postgres://u@127.0.0.1/db?geheim",
        "postgres://u@127.0.0.1/db?geheim=1", "mysql://u:geheim@127.0.0.1/db?a=b",
        "jdbc:postgresql://127.0.0.1/geheim", "host=x@geheim", "host=127.0.0.1 port=geheim",
        "host=127.0.0.1 hostaddr=geheim", "host=127.0.0.1 password=a geheim", "host='geheim 1'",
        "host=127.0.0.1 connect_timeout=geheim", "host=a,b port=1,2,3 user=geheim",
        "host=a,b hostaddr=127.0.0.1 user=geheim", "host=127.0.0.1 sslmode=geheim",
        "service=geheim", "host=127.0.0.1 dbname=geheim\(String(repeating: "x", count: 60))",
    ]

    @Test(
        "A string that cannot be one connection string goes nowhere, and no form of the error shows a part of it",
        .counts(for: "R17", part: "connection"),
        arguments: impossibleStrings
    )
    func impossibleString(text: String) async throws {
        let result: Swift.Result<SQLDBClient, DBClientError>
        let begin = ContinuousClock.now
        do {
            result = .success(try await SQLDBClient.postgreSQL(text))
        } catch let error as DBClientError {
            result = .failure(error)
        }
        // No name server was asked, which would be given five seconds.
        #expect(ContinuousClock.now - begin < .seconds(4))
        guard case .failure(let error) = result else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .invalidRequest)
        expectNothing(of: "geheim", "heim", in: error)
        #expect(!"\(result)".contains("geheim"))
    }

    /// Expects that no way to print an error shows a text.
    private func expectNothing(of secrets: String..., in error: DBClientError) {
        var dumped = ""
        dump(error, to: &dumped)
        dump(Mirror(reflecting: error), to: &dumped)
        let optional: DBClientError? = error
        let forms = [
            "\(error)", String(reflecting: error), "\(optional as Any)", "\([error])", dumped,
            error.localizedDescription, error.engineMessage ?? "", error.hint ?? "",
            error.field ?? "", "\(Swift.Result<Int, DBClientError>.failure(error))",
        ]
        for form in forms {
            for secret in secrets where form.contains(secret) {
                Issue.record("\(secret) is shown: \(form)")
            }
        }
    }

    @Test(
        "A server that cannot be reached is told of without the host, the user or the database",
        .counts(for: "R17", part: "connection")
    )
    func unreachableServer() async throws {
        for host in ["geheimhost.invalid", "127.0.0.1,127.0.0.2"] {
            let text = "host=\(host) port=1 user=geheimuser dbname=geheimdb password=geheimwort"
            let error = await #expect(throws: DBClientError.self) {
                _ = try await SQLDBClient.postgreSQL(text)
            }
            #expect(error?.code == .connectionLost)
            if let error { expectNothing(of: "geheim", "127.0.0", in: error) }
        }
    }

    @Test(
        "An option that is empty or has an unknown value is named and nothing is connected to",
        .counts(for: "R17", part: "connection"),
        arguments: [
            ("sslmode", ""), ("sslmode", "DISABLE"), ("sslmode", "verify_full"),
            ("channel_binding", ""),
            ("channel_binding", "yes"), ("gssencmode", "on"), ("ssl_min_protocol_version", ""),
            ("ssl_min_protocol_version", "1.2"), ("ssl_max_protocol_version", "TLSv9"),
            ("connect_timeout", "abc"), ("connect_timeout", ""), ("tcp_user_timeout", "5s"),
            ("keepalives", "x"), ("target_session_attrs", "abc"), ("target_session_attrs", ""),
            ("port", "abc"), ("port", "0"), ("port", ""), ("host", ""), ("dbname", ""),
            ("user", ""),
            ("sslrootcert", ""), ("sslcrl", ""), ("replication", "database"),
            ("application_name", String(repeating: "é", count: 32)),
            ("user", String(repeating: "u", count: 64)),
            ("dbname", String(repeating: "d", count: 64)),
        ]
    )
    func option(keyword: String, value: String) throws {
        for text in ["host=db \(keyword)='\(value)'", "postgres://db?\(keyword)=\(value)"] {
            // A URL's own host is named twice then.
            if text.hasPrefix("postgres"), keyword == "host" { continue }
            let error = #expect(throws: DBClientError.self, "\(text)") {
                try ConnectionString.parameters(
                    text.replacing("é", with: text.hasPrefix("p") ? "%C3%A9" : "é"),
                    PostgreSQLConfiguration()
                )
            }
            #expect(error?.code == .invalidRequest)
            #expect(error?.field == keyword)
            if value.count > 3 { #expect("\(String(reflecting: error))".contains(value) == false) }
        }
    }

    @Test(
        "ssl=true asks for encryption and never for less than the driver does by itself",
        .counts(for: "R16", part: "login")
    )
    func encryptionByHabit() throws {
        #expect(try value("sslmode", of: "postgres://db/x?ssl=true") == "verify-full")
        #expect(try value("sslmode", of: "postgres://db/x?s%73l=true") == "verify-full")
        #expect(try value("sslmode", of: "postgres://127.0.0.1/x?ssl=true") == "require")
        #expect(
            try value("sslmode", of: "postgres://db/x?ssl=true&sslmode=verify-ca") == "verify-ca"
        )
        #expect(try value("sslmode", of: "postgres://db/x?sslmode=disable&ssl=true") == "disable")
        for text in ["postgres://db/x?ssl=true&sslmode=", "postgres://db/x?ssl=false"] {
            let error = #expect(throws: DBClientError.self) {
                try ConnectionString.parameters(text, PostgreSQLConfiguration())
            }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test(
        "A login that is to be bound to an encrypted connection needs one",
        .counts(for: "R16", part: "login")
    )
    func channelBinding() throws {
        for text in [
            "host=db sslmode=disable channel_binding=require", "host=/tmp channel_binding=require",
        ] {
            let error = #expect(throws: DBClientError.self) {
                try ConnectionString.parameters(text, PostgreSQLConfiguration())
            }
            #expect(error?.code == .invalidRequest)
            #expect(error?.field == "channel_binding")
        }
        #expect(try value("channel_binding", of: "host=db channel_binding=require") == "require")
    }

    @Test(
        "A server without encryption is told of as a wrong option where a login is to be bound",
        .counts(for: "R16", part: "login"),
        .enabled(if: Server.isThere)
    )
    func channelBindingAtRunTime() async throws {
        let url = try Server.url("channel_binding", "require")
        #expect(await code { _ = try await SQLDBClient.postgreSQL(url) } == .invalidRequest)
    }

    @Test("A setting with which nothing would work is refused by its name")
    func invalidSettings() throws {
        func refused(_ change: (inout PostgreSQLConfiguration) -> Void) -> String? {
            var configuration = PostgreSQLConfiguration()
            change(&configuration)
            let error = #expect(throws: DBClientError.self) {
                try ConnectionString.parameters("host=localhost", configuration)
            }
            #expect(error?.code == .invalidRequest)
            return error?.field
        }
        #expect(refused { $0.maximumConnections = 0 } == "maximumConnections")
        #expect(refused { $0.minimumConnections = -1 } == "minimumConnections")
        #expect(refused { $0.minimumConnections = 17 } == "minimumConnections")
        #expect(refused { $0.statementTimeout = .zero } == "statementTimeout")
        #expect(refused { $0.statementTimeout = .seconds(25 * 86_400) } == "statementTimeout")
        var configuration = PostgreSQLConfiguration()
        configuration.minimumConnections = 0
        configuration.maximumConnections = 1
        configuration.statementTimeout = .milliseconds(Int32.max)
        _ = try ConnectionString.parameters("host=localhost", configuration)
    }

    @Test(
        "A wrong password is refused and shown nowhere",
        .counts(for: "R16", part: "login"),
        .counts(for: "R17", part: "connection"),
        .enabled(if: Server.isThere)
    )
    func wrongPassword() async throws {
        try await Server.withClient { client, _ in
            let role = "locked"
            _ = try? await client.execute("CREATE ROLE \(identifier: role) LOGIN")
            try await client.execute("ALTER ROLE \(identifier: role) PASSWORD 'richtig'")
            func url(_ password: String) throws -> String {
                try Server.url(role: role, password: password)
            }
            let secret = "geheim123"
            let error = await #expect(throws: DBClientError.self) {
                _ = try await SQLDBClient.postgreSQL(try url(secret))
            }
            #expect(error?.code == .permission)
            print("wrong password: \(error.map { "\($0)" } ?? "accepted")")
            let shown = [
                error.map { "\($0)" }, error.map { String(reflecting: $0) }, error?.engineMessage,
            ]
            for text in shown { #expect(text?.contains(secret) != true) }
            let right = try await SQLDBClient.postgreSQL(try url("richtig"))
            var dumped = ""
            dump(right, to: &dumped, maxDepth: 12)
            #expect(!dumped.contains("richtig"))
            try right.close()
        }
    }

    @Test(
        "Why a login is refused is told by the server's code, in whatever language it speaks",
        .counts(for: "R16", part: "login"),
        .enabled(if: Server.isThere)
    )
    func refusedLogins() async throws {
        try await Server.withClient { client, _ in
            let role = "guest_\(Int.random(in: 0..<1_000_000))"
            try await client.execute("CREATE ROLE \(identifier: role) NOLOGIN")
            let url = try Server.url(role: role)
            // Words that are not looked for.
            #expect(await code { _ = try await SQLDBClient.postgreSQL(url) } == .permission)
            try await client.execute("ALTER ROLE \(identifier: role) LOGIN CONNECTION LIMIT 1")
            let first = try await SQLDBClient.postgreSQL(url)
            let error = await #expect(throws: DBClientError.self) {
                _ = try await SQLDBClient.postgreSQL(url)
            }
            #expect(error?.code == .busy)
            try first.close()
            try await client.execute("DROP ROLE \(identifier: role)")
            let nowhere = try Server.url(role: "dbclient", database: "nowhere")
            #expect(await code { _ = try await SQLDBClient.postgreSQL(nowhere) } == .notFound)
        }
        func told(_ text: String) -> DBClientError.Code {
            PostgreSQLError.connecting(text).code
        }
        let place = "Verbindung zum Server auf »db« (10.0.0.1), Port 5432 fehlgeschlagen: FATAL:  "
        #expect(
            told(place + "28P01: Passwort-Authentifizierung für Benutzer »a« fehlgeschlagen")
                == .permission
        )
        #expect(told(place + "53300: zu viele Verbindungen für Rolle »a«") == .busy)
        #expect(told(place + "57P03: das Datenbanksystem startet") == .connectionLost)
        #expect(told(place + "57P03: startet\n" + place + "3D000: Datenbank fehlt") == .notFound)
    }

    @Test("No server is a lost connection")
    func noServer() async throws {
        let found = await code {
            _ = try await SQLDBClient.postgreSQL("postgres://nobody@127.0.0.1:1/none")
        }
        #expect(found == .connectionLost)
    }

    @Test("A database in another encoding is refused", .enabled(if: Server.isThere))
    func otherEncoding() async throws {
        try await Server.withClient { client, _ in
            let url = try #require(Server.url)
            _ = try? await client.rows("SELECT 1")
            let administrator = try PostgreSQLConnection(
                ConnectionString.parameters(url, PostgreSQLConfiguration()),
                PostgreSQLConfiguration()
            )
            let name = "latin_\(Int.random(in: 0..<1_000_000))"
            try administrator.execute(
                "CREATE DATABASE \(name) ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0"
            )
            let other = url.replacing("/postgres?", with: "/\(name)?")
                .replacing(/\/postgres$/, with: "/\(name)")
            #expect(await code { _ = try await SQLDBClient.postgreSQL(other) } == .unsupported)
            try administrator.execute("DROP DATABASE \(name)")
            administrator.close()
        }
    }
}
