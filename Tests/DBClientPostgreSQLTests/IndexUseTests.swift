import DBClientCore
import DBClientSQL
import Foundation
import Testing

/// Which indexes of other programs serve requests, and what a plan says of those that do not.
@Suite(.enabled(if: Server.isThere), .timeLimit(.minutes(1)))
struct IndexUseTests {
    /// Runs a body with a client whose server scans a table only where no index serves.
    private func withTables(
        _ statements: SQL...,
        body: (SQLDBClient) async throws -> Void
    ) async throws {
        let url = try Server.url("options", "-c enable_seqscan=off -c enable_bitmapscan=off")
        try await Server.withClient(url: url) { client, _ in
            for statement in statements { try await client.execute(statement) }
            try await body(client)
        }
    }

    private func checkServed<Request: FetchRequestConvertible>(
        _ request: Request,
        by client: SQLDBClient,
        _ comment: Comment
    ) async throws {
        let plan = try await client.explain(request)
        #expect(plan.contains("Index Cond"), "\(comment): \(plan)")
        // The rows may have to be sorted by their keys.
        let advice = plan.split(separator: "\n").filter { $0.hasPrefix("No index has") }
        #expect(advice.allSatisfy { $0.contains("the order of \"id\"") }, "\(comment): \(plan)")
    }

    @Test(
        "Equality is served by the index that is there",
        arguments: [
            "text COLLATE \"en-US-x-icu\"", "varchar(20) COLLATE \"de-x-icu\"", "text", "char(8)",
        ]
    )
    func texts(_ declaration: String) async throws {
        try await withTables(
            """
            CREATE TABLE "Piece" ("id" \(raw: declaration) PRIMARY KEY,
                "label" \(raw: declaration) NOT NULL, "size" integer NOT NULL)
            """,
            #"CREATE INDEX ON "Piece" ("label")"#
        ) { client in
            let pieces = ["b", "A", "a", "\u{e9}", "B"].enumerated()
                .map { Piece(id: $1, label: $1, size: $0) }
            try await client.insert(pieces)
            try await checkServed(
                Piece.where { $0.label == "a" },
                by: client,
                "equality"
            )
            try await checkServed(Piece.where { $0.label.isIn(["a", "B"]) }, by: client, "list")
            #expect(try await client.fetch(Piece.where { $0.label == "a" }).map(\.size) == [2])
            #expect(try await client.count(Piece.where { $0.label.isIn(["a", "B", "c"]) }) == 2)
            #expect(try await client.count(Piece.where { $0.label != "a" }) == 4)
            // To the type `char` this would be the same.
            #expect(try await client.count(Piece.where { $0.label == "a " }) == 0)
            #expect(try await client.count(Piece.where { $0.label != "a " }) == 5)
            #expect(try await client.count(Piece.where { !$0.label.isIn(["a "]) }) == 5)
            #expect(try await client.find(Piece.self, key: "a ") == nil)
            #expect(try await client.find(Piece.self, key: "") == nil)
            try await checkScans(client) { transaction in
                #expect(try transaction.find(Piece.self, key: "a") == pieces[2])
                #expect(try transaction.find(Piece.self, keys: ["B", "a"]).count == 2)
                try transaction.update(pieces[0])
                try transaction.update(Piece.self, key: "b") { $0.set(\.size, to: 9) }
                try transaction.delete(Piece.self, keys: ["A", "B"])
            }
            #expect(try await client.count(Piece.all) == 3)
        }
    }

    /// Runs calls in a transaction and looks for scans of the table, which the server counts.
    private func checkScans(
        _ client: SQLDBClient,
        of table: String = "Piece",
        _ body: @escaping @Sendable (WriteTransaction) throws -> Void
    ) async throws {
        /// The counts hold what transactions before have done, until the session has handed it in.
        @Sendable func counts(_ transaction: WriteTransaction) throws -> (scans: Int, lookups: Int)
        {
            let rows = try transaction.rows(
                """
                SELECT seq_scan AS scans, idx_scan AS lookups FROM pg_stat_xact_user_tables
                WHERE relid = (\("\"\(table)\"")::text)::regclass
                """
            )
            return (
                rows.first?["scans", as: Int.self] ?? 0, rows.first?["lookups", as: Int.self] ?? 0
            )
        }
        let (before, after) = try await client.write { transaction in
            let before = try counts(transaction)
            try body(transaction)
            return (before, try counts(transaction))
        }
        #expect(after.scans == before.scans)
        #expect(after.lookups > before.lookups)
    }

    @Test(
        "Lists of points in time are served by an index over any of their types",
        arguments: ["date", "timestamp", "timestamp(3)", "timestamptz", "timestamptz(0)"]
    )
    func dates(_ declaration: String) async throws {
        try await withTables(
            #"CREATE TABLE "Day" ("id" integer PRIMARY KEY, "at" \#(raw: declaration))"#,
            #"CREATE INDEX ON "Day" ("at")"#
        ) { client in
            let dates = (0..<4).map { Date(timeIntervalSince1970: Double($0) * 86_400) }
            try await client.insert(dates.enumerated().map { Day(id: $0, at: $1) } + [Day(id: 9)])
            try await checkServed(Day.where { $0.at == dates[1] }, by: client, "equality")
            try await checkServed(Day.where { $0.at.isIn(Array(dates[1...2])) }, by: client, "list")
            try await checkServed(
                Day.where { $0.at > dates[1] }.sorted { $0.at },
                by: client,
                "range"
            )
            #expect(
                try await client.fetch(Day.where { $0.at.isIn(Array(dates[1...2])) }).map(\.id) == [
                    1, 2,
                ]
            )
            let noon = Date(timeIntervalSince1970: 43_200)
            #expect(try await client.count(Day.where { $0.at.isIn([noon]) }) == 0)
            #expect(try await client.count(Day.where { !$0.at.isIn([dates[0]]) }) == 4)
        }
    }

    @Test(
        "A plan names the index that serves an order of bytes",
        arguments: [
            "text COLLATE \"en-US-x-icu\"", "varchar(20) COLLATE \"de-x-icu\"", "char(8)",
            "text COLLATE careless",
        ]
    )
    func hints(_ declaration: String) async throws {
        try await withTables(
            """
            CREATE COLLATION careless (provider = icu, locale = 'und-u-ks-level2', deterministic = false)
            """,
            """
            CREATE TABLE "Piece" ("id" text COLLATE "C" PRIMARY KEY, "label" \(raw: declaration),
                "size" integer NOT NULL)
            """,
            #"CREATE INDEX ON "Piece" ("label")"#
        ) { client in
            try await client.insert(["b", "A", "a"].map { Piece(id: $0, label: $0, size: 0) })
            let requests = [
                Piece.where { $0.label > "B" }, Piece.where { $0.label.hasPrefix("a") },
                Piece.all.sorted { $0.label }, Piece.where { $0.size == 0 || $0.label < "a" },
            ]
            let marker = "this one would: "
            var statement = ""
            for request in requests {
                let plan = try await client.explain(request)
                let place = try #require(plan.range(of: marker), "\(plan)")
                statement = String(plan[place.upperBound...])
                #expect(plan.contains("No index has the order of \"label\""))
            }
            #expect(statement.hasPrefix("CREATE INDEX ON \"Piece\" ("))
            // None is missing for what asks for no order of the column.
            #expect(try await !client.explain(Piece.where { $0.size > 0 }).contains(marker))
            try await client.execute("\(raw: statement)")
            for request in requests.dropLast() {
                let plan = try await client.explain(request)
                #expect(!plan.contains(marker), "\(plan)")
                #expect(plan.contains("Index"), "\(plan)")
                #expect(!plan.contains("Seq Scan"), "\(plan)")
            }
            #expect(try await client.fetch(requests[2]).map(\.id) == ["A", "a", "b"])
            #expect(try await !client.explain(requests[3]).contains(marker))
        }
    }

    /// Runs a body with a table whose first twenty rows have UUIDs of either case, and the values of forty.
    private func withTokens(
        _ declaration: String,
        _ body: (SQLDBClient, [Token]) async throws -> Void
    ) async throws {
        let tokens = (0..<40).map { Token(id: UUID(), number: $0) }
        try await withTables(
            """
            CREATE TABLE "Token" ("id" \(raw: declaration) PRIMARY KEY, "number" integer NOT NULL)
            """
        ) { client in
            for token in tokens.prefix(20) {
                let id = token.id.uuidString
                let text = token.number % 2 == 0 ? id.lowercased() : id
                try await client.execute("INSERT INTO \"Token\" VALUES (\(text), \(token.number))")
            }
            try await body(client, tokens)
        }
    }

    static let textsOfUUIDs = ["text", "varchar(40)", "char(36)", "text COLLATE \"en-US-x-icu\""]

    private func checkFound(_ token: Token, by client: SQLDBClient) async throws {
        let request = Token.where { $0.id == token.id }
        try await checkServed(request, by: client, "equality")
        #expect(try await client.fetch(request) == [token])
    }

    @Test(
        "UUIDs in texts of either case are found by the index that is there",
        arguments: textsOfUUIDs
    )
    func uuidsOfEitherCase(_ declaration: String) async throws {
        try await withTokens(declaration) { client, tokens in
            let lower = tokens[2]
            let upper = tokens[3]
            try await checkFound(lower, by: client)
            try await checkFound(upper, by: client)
            let list = Token.where { $0.id.isIn([lower.id, upper.id, UUID()]) }
            try await checkServed(list, by: client, "list")
            #expect(try await client.count(list) == 2)
            #expect(try await client.count(Token.where { $0.id != upper.id }) == 19)
            try await checkScans(client, of: "Token") { transaction in
                #expect(try transaction.find(Token.self, key: lower.id) == lower)
                #expect(try transaction.find(Token.self, key: upper.id) == upper)
                #expect(try transaction.find(Token.self, keys: [upper.id, lower.id]).count == 2)
                try transaction.update(Token(id: lower.id, number: 102))
                try transaction.update(Token.self, key: upper.id) { $0.set(\.number, to: 103) }
                try transaction.delete(Token.self, keys: [tokens[4].id, tokens[5].id])
            }
            #expect(try await client.find(Token.self, key: lower.id)?.number == 102)
            #expect(try await client.find(Token.self, key: upper.id)?.number == 103)
            #expect(try await client.count(Token.all) == 18)
        }
    }

    @Test("A UUID in a text is one key in whatever case it is written", arguments: textsOfUUIDs)
    func keysOfEitherCase(_ declaration: String) async throws {
        try await withTokens(declaration) { client, tokens in
            for token in tokens[2...3] {
                let taken = await code { try await client.insert(token) }
                #expect(taken == .duplicateKey)
                try await client.upsert(Token(id: token.id, number: token.number + 10))
            }
            #expect(try await client.count(Token.all) == 20)
            // One at a time, some together, and many through a temporary table.
            for count in [1, 5, 40] {
                try await client.upsert(Array(tokens.prefix(count)))
                let stored = try await client.fetch(Token.where { $0.number < count })
                #expect(Set(stored.map(\.id)) == Set(tokens.prefix(count).map(\.id)), "\(count)")
            }
            let rows = try await client.rows(
                "SELECT count(*) AS stored, count(DISTINCT lower(\"id\")) AS keys FROM \"Token\""
            )
            #expect(rows.first?["stored", as: Int.self] == 40)
            #expect(rows.first?["keys", as: Int.self] == 40)
            let taken = await code { try await client.insert(tokens) }
            #expect(taken == .duplicateKey)
        }
    }

    @Test("A UUID in neither case fails what reads it, and is not left out in silence")
    func uuidsOfNoCase() async throws {
        try await withTables(
            #"CREATE TABLE "Token" ("id" text PRIMARY KEY, "number" integer NOT NULL)"#
        ) { client in
            let id = UUID().uuidString
            try await client.execute("INSERT INTO \"Token\" VALUES (\(id.lowercased()), 1)")
            #expect(try await client.count(Token.all) == 1)
            try await client.execute(
                "INSERT INTO \"Token\" VALUES (\("aB" + id.lowercased().dropFirst(2)), 2)"
            )
            let error = await #expect(throws: DBClientError.self) {
                _ = try await client.fetch(Token.all)
            }
            let text = [error?.message, error?.engineMessage].compactMap(\.self).joined()
            #expect(text.contains("neither in lower nor in upper case"), "\(text)")
        }
    }

    @Test("A plan names the index that sorts UUIDs in texts", arguments: ["text", "char(36)"])
    func uuids(_ declaration: String) async throws {
        try await withTables(
            """
            CREATE TABLE "Token" ("id" \(raw: declaration) PRIMARY KEY, "number" integer NOT NULL)
            """
        ) { client in
            let tokens = (0..<5).map { Token(id: UUID(), number: $0) }
            try await client.insert(tokens)
            let plan = try await client.explain(Token.all.sorted { $0.id })
            let place = try #require(plan.range(of: "this one would: "), "\(plan)")
            try await client.execute("\(raw: String(plan[place.upperBound...]))")
            let sorted = try await client.explain(Token.all)
            #expect(!sorted.contains("Sort") && !sorted.contains("this one would"), "\(sorted)")
            #expect(try await client.find(Token.self, key: tokens[3].id) == tokens[3])
            #expect(
                try await client.fetch(Token.all).map(\.id.uuidString)
                    == tokens.map(\.id.uuidString).sorted()
            )
        }
    }

    @Test("Columns of two collations are compared by their bytes")
    func twoCollations() async throws {
        try await withTables(
            """
            CREATE TABLE "Region" ("code" text COLLATE "en-US-x-icu" PRIMARY KEY, "name" text NOT NULL)
            """,
            """
            CREATE TABLE "Town" ("id" integer PRIMARY KEY, "region" text COLLATE "de-x-icu",
                "left" text COLLATE "de-x-icu" NOT NULL, "right" text COLLATE "sv-x-icu" NOT NULL)
            """,
            #"CREATE INDEX ON "Town" ("region")"#
        ) { client in
            let regions = ["a", "B"].map { Region(code: $0, name: "R\($0)") }
            try await client.insert(regions)
            try await client.insert([
                Town(id: 1, region: regions[0], left: "a", right: "a"),
                Town(id: 2, region: regions[1], left: "a", right: "B"),
                Town(id: 3, region: nil, left: "B", right: "a"),
            ])
            #expect(try await client.fetch(Town.where { $0.region.name == "RB" }).map(\.id) == [2])
            #expect(
                try await client.fetch(Town.all.sorted { $0.region.name }).map(\.id) == [3, 2, 1]
            )
            #expect(try await client.fetch(Town.where { $0.left == $0.right }).map(\.id) == [1])
            #expect(try await client.fetch(Town.where { $0.left < $0.right }).map(\.id) == [3])
            #expect(try await client.fetch(Town.where { $0.left > $0.right }).map(\.id) == [2])
            #expect(try await client.count(Region.where { $0.name == "Ra" && $0.code == "a" }) == 1)
            try await client.delete(regions[0])
            #expect(try await client.find(Town.self, key: 1)?.region == nil)
        }
    }
}

@Stored private struct Piece: Equatable {
    let id: String
    var label: String
    var size: Int
}

@Stored private struct Day: Equatable {
    let id: Int
    var at: Date?
}

@Stored private struct Token: Equatable {
    let id: UUID
    var number: Int
}

@Stored private struct Region: Equatable {
    @PrimaryKey let code: String
    var name: String
}

@Stored private struct Town: Equatable {
    let id: Int
    @Relationship(onDelete: .nullify) var region: Region?
    var left: String
    var right: String
}
