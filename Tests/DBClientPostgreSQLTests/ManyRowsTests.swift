import DBClientCore
import DBClientSQL
import Testing

@testable import DBClientPostgreSQL

/// Many rows of one call, which reach the server together.
@Suite(.serialized, .enabled(if: Server.isThere)) struct ManyRowsTests {
    @Test("A key that is made and was taken by another program replaces nothing")
    func takenKeys() async throws {
        try await Server.withClient { client, _ in
            try await client.insert(Note(0, "first"))
            // As a program does that puts rows back with their keys.
            try await client.execute(
                """
                INSERT INTO "Note" SELECT number, 'kept ' || number, '[]'
                FROM generate_series(2, 40) AS number
                """
            )
            for count in [2, 20] {
                let error = await #expect(throws: DBClientError.self) {
                    try await client.upsert((0..<count).map { Note(0, "new \($0)") })
                }
                #expect(error?.code == .duplicateKey)
            }
            #expect(try await client.count(Note.where { $0.text.hasPrefix("kept") }) == 39)
            #expect(try await client.count(Note.all) == 40)
        }
    }

    @Test("A unique value is handed on by a row that comes twice")
    func handedOn() async throws {
        try await Server.withClient { client, _ in
            let others = (3...40).map { Note($0, "\($0)") }
            try await client.insert([Note(1, "first"), Note(2, "second")] + others)
            try await client.update([Note(1, "a"), Note(1, "b"), Note(2, "a")] + others)
            #expect(try await client.find(Note.self, keys: [1, 2]).map(\.text) == ["b", "a"])
        }
    }

    @Test("What is too much for lists is written through a table", arguments: [17_000, 20])
    func lists(count: Int) async throws {
        try await Server.withClient { client, _ in
            // Many rows, or 20 of a megabyte.
            let filler = String(repeating: "long ", count: count > 1_000 ? 1 : 200_000)
            let keys = Array(1...count)
            try await client.insert(keys.map { Note($0, "\($0)") })
            try await client.update(Note.self, keys: keys) { assignments, key in
                assignments.set(\.text, to: filler + "\(key)")
            }
            let notes = try await client.findAll(Note.self)
            #expect(notes.map(\.text) == keys.map { filler + "\($0)" })
            let missing = await code {
                try await client.update(Note.self, keys: keys + [count + 1]) { assignments, key in
                    assignments.set(\.text, to: filler + "new \(key)")
                }
            }
            #expect(missing == .notFound)
            #expect(try await client.find(Note.self, key: 1)?.text == filler + "1")
        }
    }
}
