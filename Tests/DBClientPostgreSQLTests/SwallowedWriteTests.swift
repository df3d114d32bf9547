import DBClientCore
import DBClientSQL
import Testing

/// Tables whose triggers leave a change out without an error, or put it elsewhere.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(1)))
struct SwallowedWriteTests {
    /// Runs a body with rows 1, which no one can delete, and 2; what is to be 13 is ignored.
    private func withClient(_ body: (SQLDBClient) async throws -> Void) async throws {
        try await Server.withClient { client, _ in
            try await client.insert([Counter(1), Counter(2)])
            for statement: SQL in [
                """
                CREATE FUNCTION ignore() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF TG_OP = 'DELETE' THEN
                    IF OLD.id = 1 THEN RETURN NULL; END IF;
                    RETURN OLD;
                END IF;
                IF NEW.value = 13 THEN RETURN NULL; END IF;
                RETURN NEW;
                END $$
                """,
                """
                CREATE TRIGGER ignore BEFORE INSERT OR UPDATE OR DELETE ON "Counter"
                FOR EACH ROW EXECUTE FUNCTION ignore()
                """,
            ] { try await client.execute(statement) }
            try await body(client)
            #expect(try await client.findAll(Counter.self) == [Counter(1), Counter(2)])
        }
    }

    private func expectRefusal(
        _ client: SQLDBClient,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Void
    ) async {
        do {
            try await client.write { try body($0) }
            Issue.record("The write was acknowledged.")
        } catch {
            let error = error as? DBClientError
            #expect(error?.code == .constraintViolation)
            #expect(error?.entity == "Counter")
            #expect(error?.hint != nil)
        }
    }

    /// Rows 3 and so on, of which one has 13.
    private func rows(_ count: Int) -> [Counter] {
        (0..<count).map { Counter($0 + 3, $0 == count / 2 ? 13 : 0) }
    }

    @Test("An insert is not acknowledged", arguments: [1, 5, 2_000])
    func insert(count: Int) async throws {
        try await withClient { client in
            let rows = rows(count)
            await expectRefusal(client) { try $0.insert(rows) }
            // One row after another as well.
            await expectRefusal(client) { transaction in
                _ = try? transaction.insert(Counter(1))
                try transaction.insert(rows)
            }
        }
    }

    @Test("An upsert is not acknowledged", arguments: [1, 5, 2_000])
    func upsert(count: Int) async throws {
        try await withClient { client in
            let rows = rows(count)
            await expectRefusal(client) { _ = try $0.upsert(rows) }
            await expectRefusal(client) { _ = try $0.upsert(Counter(2, 13)) }
        }
    }

    @Test("An update is not taken for one of a row that is missing", arguments: [0, 3, 100])
    func update(others: Int) async throws {
        try await withClient { client in
            let rows = [Counter(2, 13)] + (0..<others).map { Counter(100 + $0) }
            await expectRefusal(client) { try $0.update(rows) }
            await expectRefusal(client) { transaction in
                try transaction.update(Counter.self, keys: rows.map(\.id)) { row, _ in
                    row.set(\.value, to: 13)
                }
            }
            await expectRefusal(client) { transaction in
                try transaction.update(Counter.self, key: 2) { $0.set(\.value, to: 13) }
            }
            let missing = await code { try await client.update(Counter(9, 13)) }
            #expect(missing == .notFound)
        }
    }

    @Test("A delete is not taken for one of a row that is missing")
    func delete() async throws {
        try await withClient { client in
            await expectRefusal(client) { try $0.delete(Counter.self, keys: [1]) }
            await expectRefusal(client) { try $0.delete(Counter.self, keys: [2, 1, 7]) }
            let count = try await client.delete(Counter.self, keys: [7])
            #expect(count == 0)
        }
    }

    @Test("A key that was not made is not given", arguments: [1, 3])
    func generatedKeys(count: Int) async throws {
        try await Server.withClient { client, _ in
            try await client.insert(Note(0, "kept"))
            try await client.execute(
                """
                CREATE FUNCTION ignore() RETURNS trigger LANGUAGE plpgsql
                AS 'BEGIN RETURN NULL; END'
                """
            )
            try await client.execute(
                """
                CREATE TRIGGER ignore BEFORE INSERT ON "Note"
                FOR EACH ROW EXECUTE FUNCTION ignore()
                """
            )
            let notes = (0..<count).map { Note(0, "\($0)") }
            let inserted = await code { try await client.insert(notes) }
            #expect(inserted == .constraintViolation)
            let upserted = await code { _ = try await client.upsert(notes) }
            #expect(upserted == .constraintViolation)
            #expect(try await client.count(Note.all) == 1)
        }
    }

    @Test("A row that a trigger puts into a table that inherits is written", arguments: [1, 5, 40])
    func inheritance(count: Int) async throws {
        try await Server.withClient { client, _ in
            try await client.insert(Counter(-1))
            for statement: SQL in [
                "CREATE TABLE child (LIKE \"Counter\" INCLUDING ALL) INHERITS (\"Counter\")",
                """
                CREATE FUNCTION route() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN INSERT INTO child SELECT NEW.*; RETURN NULL; END'
                """,
                """
                CREATE TRIGGER route BEFORE INSERT ON "Counter"
                FOR EACH ROW EXECUTE FUNCTION route()
                """,
            ] { try await client.execute(statement) }
            let counters = (0..<count).map { Counter($0) }
            try await client.insert(counters)
            #expect(try await client.findAll(Counter.self) == [Counter(-1)] + counters)
        }
    }
}
