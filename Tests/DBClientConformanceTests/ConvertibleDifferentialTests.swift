#if Macros
import DBClientCore
import DBClientTesting
import Testing

@Stored struct Library: Hashable {
    @PrimaryKey let id: Int
    var town: String
}

@Stored struct LoanRow: Equatable {
    @PrimaryKey let id: Int
    @Indexed var title: String
    var copies: Int
    var revision: Int
    var library: Library?
}

/// A loan as an app knows it; how often it was written and where it is are the store's.
struct Loan: StoredConvertible, Equatable {
    let id: Int
    var title: String
    var copies: Int

    var primaryKey: Int { id }

    init(id: Int, title: String, copies: Int) {
        self.id = id
        self.title = title
        self.copies = copies
    }

    init(storage: LoanRow) {
        self.init(id: storage.id, title: storage.title, copies: storage.copies)
    }

    func storage(existing: LoanRow?) -> LoanRow {
        LoanRow(
            id: id,
            title: title,
            copies: copies,
            revision: (existing?.revision ?? 0) + 1,
            library: existing.map(\.library) ?? Library(id: id % 3, town: "t\(id % 3)")
        )
    }
}

/// Random programs on a model that converts, against a plain dictionary of what is stored.
@Suite(.serialized)
struct ConvertibleDifferentialTests {
    @Test("A model that converts ends up as in a plain dictionary", arguments: Backends.chosen)
    func agrees(_ backend: ConformanceBackend) async throws {
        for seed in 1...25 as ClosedRange<UInt64> {
            let store = try backend.makeStore()
            let client = try await store.open()
            let random = RandomSource(seed: seed)
            var desk = LoanDesk()
            for step in 0..<25 {
                do {
                    try await desk.advance(client, random)
                    try await desk.compare(client, random)
                } catch {
                    Issue.record("seed \(seed), step \(step): \(error)")
                    break
                }
            }
            try client.close()
            store.remove()
        }
    }
}

/// What the store should hold.
private struct LoanDesk {
    private var rows: [Int: LoanRow] = [:]

    private var loans: [Loan] { rows.keys.sorted().compactMap { rows[$0].map(Loan.init) } }

    private func makeLoans(_ random: RandomSource) -> [Loan] {
        random.list(upTo: 4) {
            Loan(id: $0.below(10), title: "l\($0.below(4))", copies: $0.below(5))
        }
    }

    /// Stores loans as one call would, all seeing what was stored before it, the last of a key counting.
    private mutating func store(_ loans: [Loan]) {
        let before = rows
        for loan in loans { rows[loan.id] = loan.storage(existing: before[loan.id]) }
    }

    mutating func advance(_ client: any DBClient, _ random: RandomSource) async throws {
        let loans = makeLoans(random)
        let keys = loans.map(\.id)
        let isOnce = Set(keys).count == keys.count
        switch random.below(8) {
        case 0:
            let isNew = isOnce && keys.allSatisfy { rows[$0] == nil }
            try await attempt(isNew ? nil : .duplicateKey) { try await client.insert(loans) }
            if isNew { store(loans) }
        case 1:
            let isThere = keys.allSatisfy { rows[$0] != nil }
            try await attempt(isThere ? nil : .notFound) { try await client.update(loans) }
            if isThere { store(loans) }
        case 2:
            let written = try await client.updateExisting(loans)
            let expected = loans.filter { rows[$0.id] != nil }
            try expect(written.count == expected.count, "updated \(written)")
            store(expected)
        case 3, 4:
            let outcome = try await client.upsert(loans)
            let inserted = Set(keys.filter { rows[$0] == nil })
            try expect(Set(outcome.inserted.map(\.id)) == inserted, "inserted \(outcome.inserted)")
            try expect(
                Set(outcome.updated.map(\.id)) == Set(keys).subtracting(inserted),
                "updated \(outcome.updated)"
            )
            store(loans)
        case 5:
            let bound = random.below(5)
            let count = try await client.update(Loan.where { $0.copies >= bound }) {
                $0.set(\.title, to: "set")
            }
            let found = rows.values.filter { $0.copies >= bound }
            try expect(count == found.count, "\(count) were set")
            for row in found { rows[row.id]?.title = "set" }
        case 6:
            let count = try await client.delete(Loan.self, keys: keys)
            try expect(count == Set(keys).count { rows[$0] != nil }, "\(count) were deleted")
            for key in keys { rows[key] = nil }
        default:
            let town = "t\(random.below(3))"
            try await client.delete(Loan.where { $0.library.town == town && $0.copies > 2 })
            rows = rows.filter { !($1.library?.town == town && $1.copies > 2) }
        }
    }

    func compare(_ client: any DBClient, _ random: RandomSource) async throws {
        let stored = try await client.fetch(LoanRow.all)
        try expect(stored == rows.keys.sorted().compactMap { rows[$0] }, "stored \(stored)")
        try await expect(client.fetch(Loan.all) == loans, "all")
        let title = "l\(random.below(4))"
        let titled = Loan.where { $0.title == title || $0.revision > 2 }
        let expected = loans.filter { $0.title == title || (rows[$0.id]?.revision ?? 0) > 2 }
        try await expect(client.fetch(titled) == expected, "titled")
        try await expect(client.count(titled) == expected.count, "count")
        let keys = random.list(upTo: 4) { $0.below(10) }
        let found = try await client.find(Loan.self, keys: keys)
        try expect(found == keys.compactMap { rows[$0].map(Loan.init) }, "found \(found)")
        let request = Loan.all.sorted { [$0.copies.descending, $0.id] }.offset(1).limit(3)
        let sorted = loans.sorted { ($1.copies, $0.id) < ($0.copies, $1.id) }
        try await expect(client.fetch(request) == Array(sorted.dropFirst().prefix(3)), "sorted")
        var streamed: [Loan] = []
        let byTown = Loan.all.sorted { $0.library.town.descending }
        for try await loan in client.stream(byTown, batchSize: 2) { streamed.append(loan) }
        try await expect(client.fetch(byTown) == streamed, "streamed \(streamed)")
    }

    private func attempt(
        _ code: DBClientError.Code?,
        _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as DBClientError where error.code == code {
            return
        }
        try expect(code == nil, "a refused call succeeded")
    }

    private func expect(_ holds: Bool, _ label: String) throws {
        guard holds else { throw Mismatch(label: label) }
    }
}

/// A store that differs from the dictionary.
private struct Mismatch: Error {
    let label: String
}
#endif
