import DBClientCore
import DBClientObjectStore
import DBClientTesting
import Foundation
import Testing

/// Pins the plan of a request beside its rows.
@Suite struct PlannerTests {
    private let folder: TemporaryFolder
    private let client: ObjectStoreDBClient
    private let notes: [Note]

    init() throws {
        folder = try TemporaryFolder()
        client = try ObjectStoreDBClient(at: folder.store)
        notes = (1...2_000).map {
            Note(
                $0,
                "title \(($0 * 7) % 1_000)",
                folder: $0 % 10 == 0 ? nil : $0 % 50,
                code: "code \($0)",
                weight: Double($0 % 100)
            )
        }
        try client.blocking.insert(notes)
    }

    private func check(
        _ request: FetchRequest<Note>,
        _ plan: String,
        _ expected: [Note],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try client.blocking.explain(request) == plan, sourceLocation: sourceLocation)
        #expect(
            try client.blocking.fetch(request).map(\.id) == expected.map(\.id),
            sourceLocation: sourceLocation
        )
        #expect(
            try client.blocking.count(request) == expected.count,
            sourceLocation: sourceLocation
        )
    }

    @Test func aRequestIsPinnedWithItsPlanAndRows() async throws {
        try await client.assertRequest(Note.where { $0.code == "code 7" }) {
            """
            search Note by index (code), 1 key
            Note(id: 7, title: "title 49", folder: 7, code: "code 7", weight: 7.0)
            """
        }
        try await client.assertRequest(Note.where { $0.id <= 2 }.sorted { $0.id.descending }) {
            """
            search Note by primary key, 1 range; backwards
            Note(id: 2, title: "title 14", folder: 2, code: "code 2", weight: 2.0)
            Note(id: 1, title: "title 7", folder: 1, code: "code 1", weight: 1.0)
            """
        }
    }

    @Test func thePrimaryKeyServesEqualityAndRanges() throws {
        try check(
            Note.where { $0.id == 7 },
            "search Note by primary key, 1 key",
            [notes[6]]
        )
        try check(
            Note.where { $0.id.isIn([9, 3, 3, 5_000]) },
            "search Note by primary key, 3 keys",
            [notes[2], notes[8]]
        )
        try check(
            Note.where { $0.id > 1_990 && $0.id <= 1_993 },
            "search Note by primary key, 1 range",
            Array(notes[1_990...1_992])
        )
        try check(
            Note.where { $0.id < 4 }.sorted { $0.id.descending },
            "search Note by primary key, 1 range; backwards",
            Array(notes[0...2].reversed())
        )
    }

    @Test func anIndexServesEqualityRangeAndPrefix() throws {
        try check(
            Note.where { $0.folder == 7 },
            "search Note by index (folder), 1 key",
            notes.filter { $0.folder == 7 }
        )
        try check(
            Note.where { $0.code == "code 12" },
            "search Note by index (code), 1 key",
            [notes[11]]
        )
        try check(
            Note.where { $0.folder == 7 && $0.weight == 57 },
            "search Note by index (folder, weight), 1 key",
            notes.filter { $0.folder == 7 && $0.weight == 57 }
        )
        try check(
            Note.where { $0.code.hasPrefix("code 199") && $0.weight > 95 },
            "search Note by index (code), 1 range; filter on the stored bytes; sort by id",
            notes.filter { $0.code?.hasPrefix("code 199") ?? false && $0.weight > 95 }
        )
    }

    @Test func listsOnSeveralColumnsAreNotMultipliedOutOfBounds() throws {
        let weights = (0..<1_500).map { Double($0) / 2 }
        try check(
            Note.where { $0.folder.isIn([7, 8]) && $0.weight.isIn([7, 8, 57]) },
            "search Note by index (folder, weight), 6 keys; sort by id",
            notes.filter { [7, 8].contains($0.folder) && [7, 8, 57].contains($0.weight) }
        )
        try check(
            Note.where { $0.folder.isIn([7, 8]) && $0.weight.isIn(weights) },
            "search Note by index (folder), 2 keys; filter on the stored bytes; sort by id",
            notes.filter { [7, 8].contains($0.folder) && weights.contains($0.weight) }
        )
    }

    @Test func anIndexServesAnOrderWithALimit() throws {
        let byTitle = notes.sorted { ($0.title, $0.id) < ($1.title, $1.id) }
        try check(
            Note.all.sorted { $0.title }.limit(5),
            "search Note by index (title), 1 range",
            Array(byTitle.prefix(5))
        )
        let descending = notes.sorted { $0.title != $1.title ? $0.title > $1.title : $0.id < $1.id }
        try check(
            Note.all.sorted { $0.title.descending }.limit(5),
            "search Note by index (title), 1 range; backwards",
            Array(descending.prefix(5))
        )
    }

    @Test func aScanFiltersAndSortsWhatNothingServes() throws {
        let heavy = notes.filter { $0.weight > 50 }
        try check(
            Note.where { $0.weight > 50 },
            "scan Note by primary key; filter on the stored bytes",
            heavy
        )
        try check(
            Note.where { $0.weight > 50 }.sorted { $0.weight.descending }.limit(7),
            "scan Note by primary key; filter on the stored bytes; "
                + "sort by weight descending, id, keep 7",
            Array(
                heavy.sorted { $0.weight != $1.weight ? $0.weight > $1.weight : $0.id < $1.id }
                    .prefix(7)
            )
        )
    }

    @Test func listsOfKeysOfSeveralFieldsAreFoundByThem() throws {
        func check(_ columns: [Int], _ keys: [[StorageValue]], _ plan: String, _ ids: [Int]) throws
        {
            let query = RowQuery(Note.schema.entity, where: .areIn(columns: columns, keys))
            try client.blocking.read { transaction in
                let reader = try transaction.engineReader
                #expect(try reader.explain(query) == plan)
                var found: [Int] = []
                try reader.scan(query) { batch in
                    found += (0..<batch.count).map { Int(batch[$0, 0].integer) }
                    return true
                }
                #expect(found == ids)
                #expect(try reader.count(query) == ids.count)
            }
        }
        let expected = notes.filter {
            $0.folder == 7 && $0.weight == 57 || $0.folder == 8 && $0.weight == 58
        }
        #expect(!expected.isEmpty)
        for columns in [[2, 4], [4, 2]] {
            let keys: [[StorageValue]] = [
                [.integer(8), .real(58)], [.integer(7), .real(57)], [.integer(7), .real(58)],
            ]
            try check(
                columns,
                columns == [2, 4] ? keys : keys.map { $0.reversed() },
                "search Note by index (folder, weight), 3 keys; sort by id",
                expected.map(\.id)
            )
        }
        try check(
            [1, 4],
            [[.text("title 7"), .real(1)], [.text("title 14"), .real(2)]],
            "scan Note by primary key; filter on the stored bytes",
            notes.filter {
                $0.title == "title 7" && $0.weight == 1 || $0.title == "title 14" && $0.weight == 2
            }
            .map(\.id)
        )
    }

    @Test func aPrimaryKeyOfSeveralFieldsServesLists() throws {
        try client.blocking.insert((0..<300).map { Volume("series \($0 % 3)", $0) })
        let query = RowQuery(
            Volume.schema.entity,
            where: .areIn(
                columns: [2, 1],
                [
                    [.integer(5), .text("series 2")], [.integer(3), .text("series 0")],
                    [.integer(4), .text("series 0")],
                ]
            )
        )
        try client.blocking.read { transaction in
            let reader = try transaction.engineReader
            #expect(try reader.explain(query) == "search Volume by primary key, 3 keys")
            var found: [Int] = []
            try reader.scan(query) { batch in
                found += (0..<batch.count).map { Int(batch[$0, 2].integer) }
                return true
            }
            #expect(found == [3, 5])
        }
    }

    @Test func anIndexThatIsNotSelectiveIsNotUsed() throws {
        try client.blocking.update(Note.where { $0.id > 100 }) { $0.set(\.folder, to: 7) }
        #expect(
            try client.blocking.explain(Note.where { $0.folder == 7 })
                == "scan Note by primary key; filter on the stored bytes"
        )
    }
}

/// Keyed by two fields, which do not come first.
@Stored private struct Volume {
    var title: String
    @PrimaryKey let series: String
    @PrimaryKey let number: Int

    init(_ series: String, _ number: Int) {
        title = "volume \(number)"
        self.series = series
        self.number = number
    }
}
