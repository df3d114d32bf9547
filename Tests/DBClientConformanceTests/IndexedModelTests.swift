#if Macros
import DBClientCore
import DBClientTesting
import Testing

/// Indexes of one field and of two, another stored name, what is not stored, and defaults.
@Stored("editions") private struct Edition: Equatable {
    let id: Int
    var country: String
    var year: Int?
    @Unique @StoredName("isbn 13") var isbn: String?
    @Indexed var copies = 1
    var title = "untitled"
    var volume: Int? = 1
    @Transient var isOpen = false
    @Transient var readers: [String]?

    static var indexes: [StoredIndex<Self>] {
        [StoredIndex(\.country, \.year), .unique(\.title, \.volume)]
    }
}

struct IndexedModelTests {
    private static let editions = [
        Edition(id: 1, country: "de", year: 1999, isbn: "a", title: "x"),
        Edition(id: 2, country: "de", year: 2000, copies: 5, title: "y", volume: nil),
        Edition(id: 3, country: "fr", year: 1999, isbn: "c", title: "x", volume: 2),
        Edition(id: 4, country: "de", year: nil, copies: 5, title: "y", volume: nil),
        Edition(id: 5, country: "de", year: 1999, copies: 7),
    ]

    private func withEditions(
        of backend: ConformanceBackend,
        _ body: (any DBClient) async throws -> Void
    ) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        defer { try? client.close() }
        try await client.insert(Self.editions)
        try await body(client)
    }

    @Test func theEntityHasTheIndexesAndNames() {
        let entity = Edition.schema.entity
        #expect(entity.name == "editions")
        #expect(
            entity.fields.map(\.name)
                == ["id", "country", "year", "isbn 13", "copies", "title", "volume"]
        )
        #expect(
            entity.indexes == [
                IndexSchema(fields: [3], isUnique: true),
                IndexSchema(fields: [4], isUnique: false),
                IndexSchema(fields: [1, 2], isUnique: false),
                IndexSchema(fields: [5, 6], isUnique: true),
            ]
        )
    }

    @Test("What is not given is the default", arguments: Backends.chosen)
    func defaults(_ backend: ConformanceBackend) async throws {
        try await withEditions(of: backend) { client in
            #expect(try await client.fetch(Edition.all) == Self.editions)
            var edition = try #require(try await client.find(Edition.self, key: 5))
            #expect((edition.title, edition.volume) == ("untitled", 1))
            edition.isOpen = true
            edition.readers = ["a"]
            edition.copies = 8
            #expect(try await client.upsert(edition).isUpdated)
            #expect(
                try await client.find(Edition.self, key: 5)
                    == Edition(id: 5, country: "de", year: 1999, copies: 8)
            )
        }
    }

    @Test("Values are found by what is indexed", arguments: Backends.chosen)
    func conditions(_ backend: ConformanceBackend) async throws {
        let requests: [(FetchRequest<Edition>, [Int])] = [
            (Edition.where { $0.country == "de" && $0.year == 1999 }, [1, 5]),
            (Edition.where { $0.country == "de" && $0.year > 1999 }, [2]),
            (Edition.where { $0.country == "de" && $0.year == nil }, [4]),
            (Edition.where { $0.country == "de" }, [1, 2, 4, 5]),
            (Edition.where { $0.title == "x" && $0.volume == 2 }, [3]),
            (Edition.where { $0.title == "y" && $0.volume == nil }, [2, 4]),
            (Edition.where { $0.isbn == "c" }, [3]),
            (Edition.where { $0.isbn == nil }, [2, 4, 5]),
            (Edition.where { $0.copies >= 5 && $0.id < 5 }, [2, 4]),
            (Edition.all.sorted { [$0.country.descending, $0.year, $0.id] }, [3, 4, 1, 5, 2]),
        ]
        try await withEditions(of: backend) { client in
            for (position, (request, ids)) in requests.enumerated() {
                let found = try await client.fetch(request)
                #expect(found.map(\.id) == ids, "request \(position)")
            }
        }
    }

    @Test("A taken value is refused by the name that is stored", arguments: Backends.chosen)
    func violations(_ backend: ConformanceBackend) async throws {
        let refused: [(Edition, DBClientError.Code, String?)] = [
            (Edition(id: 6, country: "", isbn: "c", title: "z"), .uniqueViolation, "isbn 13"),
            (Edition(id: 6, country: "", title: "x", volume: 2), .uniqueViolation, "title, volume"),
            (Edition(id: 5, country: "", title: "z"), .duplicateKey, nil),
        ]
        try await withEditions(of: backend) { client in
            for (edition, code, field) in refused {
                let error = await #expect(throws: DBClientError.self) {
                    try await client.insert(edition)
                }
                #expect(error?.code == code)
                #expect(error?.entity == "editions")
                if let field { #expect(error?.field == field) }
            }
            let error = await #expect(throws: DBClientError.self) {
                try await client.update(Edition.self, key: 2) { $0.set(\.isbn, to: "a") }
            }
            #expect(error?.code == .uniqueViolation)
            #expect(error?.field == "isbn 13")
            let stored = try await client.fetch(Edition.all)
            #expect(stored == Self.editions)
        }
    }

    @Test("An upsert, an update and a deletion move the entries", arguments: Backends.chosen)
    func movedEntries(_ backend: ConformanceBackend) async throws {
        try await withEditions(of: backend) { client in
            let outcome = try await client.upsert([
                Edition(id: 6, country: "fr", year: 1999, isbn: "f", title: "new"),
                Edition(id: 1, country: "fr", year: 1999, title: "x"),
            ])
            #expect(outcome.inserted.map(\.id) == [6])
            #expect(outcome.updated.map(\.id) == [1])
            try await client.update(Edition.self, key: 5) {
                // What the first edition had.
                $0.set(\.isbn, to: "a")
                $0.set(\.country, to: "fr")
            }
            let french = Edition.where { $0.country == "fr" && $0.year == 1999 }
            #expect(try await client.fetch(french).map(\.id) == [1, 3, 5, 6])
            #expect(try await client.fetch(Edition.where { $0.isbn == "a" }).map(\.id) == [5])
            #expect(try await client.delete(Edition.self, key: 3))
            // The pair of the third is free again.
            try await client.insert(Edition(id: 7, country: "it", title: "x", volume: 2))
            #expect(try await client.fetch(french).map(\.id) == [1, 5, 6])
            #expect(try await client.delete(french) == 3)
            #expect(try await client.fetch(Edition.all).map(\.id) == [2, 4, 7])
        }
    }
}
#endif
