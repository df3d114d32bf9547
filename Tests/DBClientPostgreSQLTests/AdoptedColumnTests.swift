import DBClientCore
import DBClientSQL
import Foundation
import Testing

/// Columns as other programs declare them.
@Suite(.enabled(if: Server.isThere), .timeLimit(.minutes(1)))
struct AdoptedColumnTests {
    /// A table of one field that is tested, beside its key.
    private func withTable(
        _ declaration: String,
        types: String = "",
        _ body: (SQLDBClient) async throws -> Void
    ) async throws {
        try await Server.withClient { client, _ in
            for statement in types.split(separator: ";") {
                try await client.execute(SQL(stringLiteral: String(statement)))
            }
            try await client.execute(
                SQL(
                    stringLiteral:
                        "CREATE TABLE \"Entry\" (\"id\" integer PRIMARY KEY, \"value\" \(declaration))"
                )
            )
            try await body(client)
        }
    }

    /// Writes values in each way and reads them in each way.
    private func check<Value: StorableValue & Equatable>(
        _ values: [Value],
        in declaration: String,
        types: String = "",
        as kept: [Value]? = nil
    ) async throws {
        let kept = kept ?? values
        try await withTable(declaration, types: types) { client in
            for count in [1, values.count, 40] {
                let entries = (0..<count).map { Entry(id: $0, value: values[$0 % values.count]) }
                let wanted = (0..<count).map { Entry(id: $0, value: kept[$0 % kept.count]) }
                let inserted = try await client.insert(entries)
                #expect(inserted == wanted, "\(declaration), \(count)")
                #expect(
                    try await client.findAll(Entry<Value>.self) == wanted,
                    "\(declaration), \(count)"
                )
                #expect(try await client.find(Entry<Value>.self, keys: wanted.map(\.id)) == wanted)
                #expect(
                    try await client.upsert(entries).updated == wanted,
                    "\(declaration), \(count)"
                )
                try await client.update(entries)
                try await client.update(Entry<Value>.all) { $0.set(\.value, to: values[0]) }
                #expect(
                    try await client.findAll(Entry<Value>.self).allSatisfy { $0.value == kept[0] },
                    "\(declaration), \(count)"
                )
                try await client.update(Entry<Value>.self, keys: entries.map(\.id)) { row, key in
                    row.set(\.value, to: values[key % values.count])
                }
                #expect(
                    try await client.findAll(Entry<Value>.self) == wanted,
                    "\(declaration), \(count)"
                )
                #expect(
                    try await client.fetch(Entry<Value>.where { $0.value == kept[0] }).map(\.id)
                        == wanted.filter { $0.value == kept[0] }.map(\.id),
                    "\(declaration), \(count)"
                )
                #expect(
                    try await client.count(
                        Entry<Value>.where { $0.value.isIn(Array(kept.prefix(2))) }
                    )
                        == wanted.count { kept.prefix(2).contains($0.value) },
                    "\(declaration), \(count)"
                )
                try await client.delete(Entry<Value>.self, keys: entries.map(\.id))
                #expect(try await client.count(Entry<Value>.all) == 0)
            }
        }
    }

    private func instants(_ seconds: Double...) -> [Date] {
        seconds.map { Date(timeIntervalSince1970: $0) }
    }

    @Test("Points in time in each type of date, rounded to what it keeps")
    func dates() async throws {
        let exact = instants(0, -1.5, 1_700_000_000.123456, 253_402_300_799)
        try await check(exact, in: "timestamp")
        try await check(exact, in: "timestamptz(6) NOT NULL")
        try await check(
            instants(0.0004, 0.0005, -0.0005, 1_700_000_000.125456),
            in: "timestamptz(3)",
            as: instants(0, 0.001, -0.001, 1_700_000_000.125)
        )
        try await check(instants(1.5, -1.4), in: "timestamp(0)", as: instants(2, -1))
        // There is no later second that it could be rounded to.
        try await check(
            [Date(timeIntervalSinceReferenceDate: 9_222_393_729_654.775_4)],
            in: "timestamptz(0)",
            as: [Date(timeIntervalSinceReferenceDate: 9_222_393_729_654)]
        )
        try await check(
            instants(-1, 86_399.5, 86_400),
            in: "date",
            as: instants(-86_400, 0, 86_400)
        )
    }

    @Test("Numbers in wider and narrower types")
    func numbers() async throws {
        try await check([0, -7, 99_999], in: "numeric")
        try await check([0, -7, 99_999], in: "numeric(8,2)")
        try await check([0, -7, 99], in: "smallint")
        try await check([1.5, -0.1, 12_345.678], in: "numeric")
        try await check([1.005, -0.125, 7], in: "numeric(8,2)", as: [1.01, -0.13, 7])
        try await check([0.1, 1.5], in: "real", as: [Double(Float(0.1)), 1.5])
        try await check([Float(0.1), 1.5], in: "real")
        let decimals = ["1.005", "-0.125", "7", "12345.67"].compactMap { Decimal(string: $0) }
        let kept = ["1.01", "-0.13", "7", "12345.67"].compactMap { Decimal(string: $0) }
        try await check(decimals, in: "numeric(8,2)", as: kept)
        try await check([true, false], in: "smallint")
        try await check([true, false], in: "integer NOT NULL")
    }

    @Test("Texts in each type of text, labels, and domains")
    func texts() async throws {
        let texts = ["b", "A", "a", "\u{e9}", "B"]
        try await check(texts, in: "text COLLATE \"en-US-x-icu\"")
        try await check(texts, in: "varchar(20) COLLATE \"en-US-x-icu\"")
        try await check(["a", "b  ", ""], in: "char(5)", as: ["a", "b", ""])
        try await check(
            ["happy", "sad"],
            in: "mood",
            types: "CREATE TYPE mood AS ENUM ('sad', 'happy')"
        )
        try await check(
            texts,
            in: "label NOT NULL",
            types: "CREATE DOMAIN label AS varchar(20) COLLATE \"en-US-x-icu\" CHECK (VALUE <> 'x')"
        )
        try await check(
            [1, 5],
            in: "small",
            types: "CREATE DOMAIN tiny AS smallint CHECK (VALUE > 0); CREATE DOMAIN small AS tiny"
        )
        try await check([UUID(), UUID()], in: "text")
        try await check([UUID(), UUID()], in: "char(36)")
    }

    @Test("Lists in arrays and in JSON, and other Codable values in JSON")
    func lists() async throws {
        try await check([["b", "a \"x\" / \\", "\n"], []], in: "text[]")
        try await check([[3, -1], []], in: "integer[]")
        try await check(
            [["sad", "happy"], []],
            in: "mood[]",
            types: "CREATE TYPE mood AS ENUM ('sad', 'happy')"
        )
        try await check([[true], [false, true]], in: "boolean[] NOT NULL")
        try await check([[1.5, 0.1], []], in: "double precision[]")
        try await check([[UUID()], []], in: "uuid[]")
        try await check([instants(0.5, 1_700_000_000.123456, -1), []], in: "timestamptz[]")
        try await check([[Data([0, 255]), Data(repeating: 7, count: 200)], []], in: "bytea[]")
        try await check([["b", "a"], []], in: "jsonb")
        try await check([["key": 1, "a": 2, "bb": 3], [:]], in: "jsonb")
    }

    @Test("Texts are ordered and found by their bytes, whatever the collation")
    func orders() async throws {
        for declaration in ["text COLLATE \"en-US-x-icu\"", "text COLLATE nocase UNIQUE"] {
            let types = """
                CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)
                """
            try await withTable(declaration, types: types) { client in
                let names = ["b", "Ab", "\u{e9}", "B ", "aB "]
                try await client.insert(
                    names.enumerated().map { Entry(id: $0.offset, value: $0.element) }
                )
                let sorted = ["Ab", "B ", "aB ", "b", "\u{e9}"]
                func fetched(_ request: FetchRequest<Entry<String>>) async throws -> [String] {
                    try await client.fetch(request).map(\.value)
                }
                let all = Entry<String>.all.sorted { $0.value }
                #expect(try await fetched(all) == sorted)
                #expect(try await fetched(all.filter { $0.value > "B " }) == Array(sorted[2...]))
                #expect(try await fetched(all.filter { $0.value == "ab" }) == [])
                #expect(try await fetched(all.filter { $0.value.hasPrefix("A") }) == ["Ab"])
                #expect(try await fetched(all.filter { $0.value.isIn(["AB", "b"]) }) == ["b"])
                #expect(try await client.min(\Entry<String>.value, of: Entry<String>.all) == "Ab")
                #expect(try await client.distinct(\.value, of: Entry<String>.all) == sorted)
                let first = try #require(try await client.fetch(all.limit(1)).first)
                #expect(try await fetched(all.after(first)) == Array(sorted[1...]))
                guard declaration.contains("UNIQUE") else { return }
                let error = await #expect(throws: DBClientError.self) {
                    try await client.insert(Entry(id: 9, value: "AB"))
                }
                #expect(error == nil || error?.code == .uniqueViolation)
            }
        }
    }

    @Test("A key that a column would round is refused, and so is a column that holds no such field")
    func refusals() async throws {
        try await Server.withClient { client, _ in
            try await client.execute(
                "CREATE TABLE \"Moment\" (\"at\" timestamp(3) PRIMARY KEY, \"price\" money NOT NULL)"
            )
            let misfit = await #expect(throws: DBClientError.self) {
                _ = try await client.findAll(Moment.self)
            }
            #expect(misfit?.code == .schemaMismatch && misfit?.field == "price")
            try await client.execute("ALTER TABLE \"Moment\" ALTER \"price\" TYPE numeric(6,2)")
            let error = await #expect(throws: DBClientError.self) {
                try await client.insert(Moment(at: instants(0.0001)[0], price: 1))
            }
            #expect(error?.code == .invalidValue && error?.field == "at")
            let moment = Moment(at: instants(0.001)[0], price: 1)
            try await client.insert(moment)
            #expect(try await client.find(Moment.self, key: moment.at) == moment)
        }
    }

    private func expect<Value: StorableValue & Equatable>(
        _ code: DBClientError.Code,
        of value: Value,
        in declaration: String,
        types: String = ""
    ) async throws {
        try await withTable(declaration, types: types) { client in
            for count in [1, 40] {
                let error = await #expect(throws: DBClientError.self, "\(declaration)") {
                    try await client.insert((1...count).map { Entry(id: $0, value: value) })
                }
                #expect(error?.code == code, "\(declaration), \(count)")
                if code == .schemaMismatch { continue }
                let count = try await client.count(Entry<Value>.all)
                #expect(count == 0)
            }
        }
    }

    @Test("What a column would cut or turn into something else is refused")
    func cuts() async throws {
        let code = "CREATE DOMAIN code AS varchar(3)"
        try await expect(.invalidValue, of: "abcd", in: "code", types: code)
        try await expect(.invalidValue, of: "abc ", in: "code", types: code)
        try await expect(.invalidValue, of: ["abcdef"], in: "varchar(3)[]")
        try await expect(.invalidValue, of: 1e300, in: "real")
        try await expect(.invalidValue, of: 1e-60, in: "real")
        try await expect(.invalidValue, of: 1e200, in: "numeric(20,4)")
        try await expect(
            .schemaMismatch,
            of: ["a"],
            in: "doc",
            types: "CREATE DOMAIN doc AS jsonb"
        )
        try await check([0.1 + 0.2, 1_234_567_890_123.4567], in: "numeric")
        try await check([1e-200], in: "numeric(20,4)", as: [0])
    }

    @Test("Times of a day are seconds since midnight, and other units of time are refused by name")
    func times() async throws {
        try await check([0, 3_600.5, 86_399.999999], in: "time")
        try await check([0.04, 59.96, 86_399], in: "time(1)", as: [0, 60, 86_399])
        for seconds in [-1.0, 86_401, 1e12, .nan] {
            try await expect(.invalidValue, of: seconds, in: "time")
        }
        try await withTable("time NOT NULL") { client in
            try await client.execute(
                "INSERT INTO \"Entry\" VALUES (1, '13:45:00.25'), (2, '00:00')"
            )
            #expect(try await client.findAll(Entry<Double>.self).map(\.value) == [49_500.25, 0])
            #expect(
                try await client.fetch(Entry<Double>.where { $0.value < 40_000 }).map(\.id) == [2]
            )
            let entity = try await EntityCatalog(storedIn: client).entity(named: "Entry")
            #expect(entity.fields[1].type == .double)
        }
        for type in ["time with time zone", "interval", "money"] {
            try await withTable(type) { client in
                let error = await #expect(throws: DBClientError.self) {
                    _ = try await client.findAll(Entry<Double>.self)
                }
                #expect(error?.message.contains(type) == true)
                #expect(error?.message.contains("double precision can") == true)
            }
        }
    }

    @Test("Text that ignores case is kept, and cannot be a key")
    func ignoredCase() async throws {
        let types = "CREATE EXTENSION citext"
        try await withTable("citext UNIQUE", types: types) { client in
            try await client.insert([Entry(id: 1, value: "Ann"), Entry(id: 2, value: "bob")])
            #expect(try await client.count(Entry<String>.where { $0.value == "ann" }) == 0)
            #expect(try await client.count(Entry<String>.where { $0.value == "Ann" }) == 1)
            let error = await #expect(throws: DBClientError.self) {
                try await client.insert(Entry(id: 3, value: "ANN"))
            }
            #expect(error?.code == .uniqueViolation)
            try await client.execute(
                "CREATE TABLE \"Named\" (\"name\" citext PRIMARY KEY, \"number\" integer NOT NULL)"
            )
            let refusal = await #expect(throws: DBClientError.self) {
                _ = try await client.findAll(Named.self)
            }
            #expect(refusal?.code == .schemaMismatch && refusal?.field == "name")
        }
    }

    @Test("A sequence makes the keys of a numeric column")
    func numericKeys() async throws {
        try await Server.withClient { client, _ in
            for statement in [
                "CREATE SEQUENCE numbers",
                """
                CREATE TABLE "Numbered" ("id" numeric PRIMARY KEY DEFAULT nextval('numbers'),
                    "name" text COLLATE "C" NOT NULL)
                """,
                "ALTER SEQUENCE numbers OWNED BY \"Numbered\".\"id\"",
            ] {
                try await client.execute(SQL(stringLiteral: statement))
            }
            #expect(try await client.insert(Numbered(name: "a")).id == 1)
            let made = try await client.insert((1...3).map { Numbered(name: "\($0)") })
            #expect(made.map(\.id) == [2, 3, 4])
            let many = try await client.upsert((1...40).map { Numbered(name: "\($0)") }).inserted
            #expect(Set(many.map(\.id)) == Set(5...44))
            #expect(try await client.count(Numbered.all) == 44)
        }
    }

    @Test("Texts of two collations are compared with each other")
    func twoCollations() async throws {
        try await Server.withClient { client, _ in
            for (maker, car) in [("en-US-x-icu", "C"), ("C", "en-US-x-icu")] {
                try await client.execute(
                    """
                    CREATE TABLE "Maker" ("id" text COLLATE "\(raw: maker)" PRIMARY KEY,
                        "city" text COLLATE "C" NOT NULL)
                    """
                )
                try await client.execute(
                    """
                    CREATE TABLE "Car" ("id" integer PRIMARY KEY,
                        "maker" text COLLATE "\(raw: car)" NOT NULL)
                    """
                )
                try await client.insert([Maker(id: "a", city: "x"), Maker(id: "b", city: "w")])
                try await client.insert(
                    (1...4).map { Car(id: $0, maker: Reference($0 % 2 == 0 ? "a" : "b")) }
                )
                let found = Car.where { $0.maker.city == "x" }
                #expect(try await client.fetch(found).map(\.id) == [2, 4])
                let sorted = Car.all.sorted { $0.maker.city }
                #expect(try await client.fetch(sorted).map(\.id) == [1, 3, 2, 4])
                try await client.execute("DROP TABLE \"Car\"")
                try await client.execute("DROP TABLE \"Maker\"")
            }
        }
    }

    @Test("A row of no value of its field is told with its key, and can be deleted")
    func unreadable() async throws {
        try await withTable("timestamp") { client in
            try await client.execute(
                "INSERT INTO \"Entry\" VALUES (1, 'infinity'), (2, '2020-01-01')"
            )
            let error = await #expect(throws: DBClientError.self) {
                _ = try await client.findAll(Entry<Date>.self)
            }
            #expect(error?.code == .decoding && error?.field == "value")
            try await client.delete(Entry<Date>.self, key: 1)
            #expect(try await client.findAll(Entry<Date>.self).map(\.id) == [2])
        }
    }

    @Test("Observers of rounded values are told what is stored")
    func observers() async throws {
        try await withTable("numeric(8,2)") { client in
            var stream = client.observe(Entry<Decimal>.all).makeAsyncIterator()
            #expect(try await stream.next()?.objects.isEmpty == true)
            let given = try #require(Decimal(string: "1.005"))
            try await client.insert(Entry(id: 1, value: given))
            #expect(
                try await stream.next()?.objects.map(\.value) == [
                    try #require(Decimal(string: "1.01"))
                ]
            )
        }
    }
}
