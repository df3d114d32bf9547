import DBClientCore
import DBClientSQL
import Testing

@testable import DBClientPostgreSQL

/// What triggers and foreign keys of a database write in commits of the same client, without a journal.
@Suite(.serialized, .enabled(if: Server.isThere), .timeLimit(.minutes(1)))
struct DatabaseEffectTests {
    @Test(
        "Rows that a foreign key deletes or changes are told",
        arguments: ["CASCADE", "SET NULL"]
    )
    func foreignKeys(action: String) async throws {
        try await Server.withClient { client, _ in
            try await client.insert((1...60).map { Counter($0, 1) })
            try await client.insert((1...30).map { Note($0, "\($0)") })
            try await client.execute(
                """
                ALTER TABLE "Counter" ADD "owner" bigint REFERENCES "Note" ("id")
                ON DELETE \(raw: action)
                """
            )
            try await client.execute("UPDATE \"Counter\" SET \"owner\" = \"id\" WHERE \"id\" <= 30")
            let table = ObservedTable(client.observe(Counter.all))
            try await table.settle((1...60).map { Counter($0, 1) })
            let left = action == "CASCADE" ? 2...60 : 1...60
            try await client.delete(Note.self, key: 1)
            try await table.settle(left.map { Counter($0, 1) })
            try await client.delete(Note.where { $0.id <= 30 })
            let end = action == "CASCADE" ? 31...60 : 1...60
            try await table.settle(end.map { Counter($0, 1) })
        }
    }

    @Test("What a trigger writes is told, to other tables and to the call's own")
    func triggers() async throws {
        try await Server.withClient { client, _ in
            try await client.insert([Counter(1), Counter(2)])
            try await client.insert(Note(0, "first"))
            for statement: SQL in [
                """
                CREATE FUNCTION count_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE "Counter" SET "value" = "value" + 1 WHERE "id" = 1; RETURN NULL; END $$
                """,
                """
                CREATE TRIGGER count_note AFTER INSERT OR UPDATE ON "Note"
                FOR EACH ROW EXECUTE FUNCTION count_note()
                """,
                """
                CREATE FUNCTION double() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                NEW."value" := NEW."value" * 2; RETURN NEW; END $$
                """,
                """
                CREATE TRIGGER double BEFORE INSERT ON "Counter"
                FOR EACH ROW EXECUTE FUNCTION double()
                """,
            ] { try await client.execute(statement) }
            let table = ObservedTable(client.observe(Counter.all))
            let count = ObservedValue(client.observeCount(Note.all))
            try await table.settle([Counter(1), Counter(2)])
            try await count.settle(1)
            try await client.insert(Note(0, "second"))
            try await table.settle([Counter(1, 1), Counter(2)])
            try await client.insert((0..<40).map { Note(0, "note \($0)") })
            try await table.settle([Counter(1, 41), Counter(2)])
            try await client.update(Note.self, key: 1) { $0.set(\.text, to: "changed") }
            try await table.settle([Counter(1, 42), Counter(2)])
            // A call to each table in one transaction.
            try await client.write { transaction in
                try transaction.update(Counter(2, 5))
                try transaction.insert(Note(0, "third"))
            }
            try await table.settle([Counter(1, 43), Counter(2, 5)])
            // What is stored of the call's own row, not what it was given.
            try await client.insert(Counter(3, 4))
            try await table.settle([Counter(1, 43), Counter(2, 5), Counter(3, 8)])
            try await count.settle(43)
        }
    }

    @Test("Tables without triggers and rules are told row by row")
    func exactness() async throws {
        try await Server.withClient { client, _ in
            try await client.insert([Counter(1)])
            try await client.insert(Note(1, "first"))
            try await client.execute(
                """
                ALTER TABLE "Counter" ADD "owner" bigint REFERENCES "Note" ("id")
                ON DELETE CASCADE
                """
            )
            var commits = client.changes(of: Counter.self).makeAsyncIterator()
            for value in 1...5 {
                try await client.write { transaction in
                    try transaction.insert(Note(0, "note \(value)"))
                    try transaction.update(Counter(1, value))
                }
                let change = try await commits.next()
                #expect(change?.hasUntrackedChanges == false)
                #expect(change?.updated.map(\.after.value) == [value])
            }
        }
    }
}
