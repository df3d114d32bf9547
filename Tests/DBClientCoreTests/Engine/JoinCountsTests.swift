import DBClientInMemory
import DBClientTesting
import Testing

@testable import DBClientCore

@Stored private struct Shelf {
    let id: Int
    var room: String
}

@Stored private struct Folder {
    let id: Int
    @Indexed var shelf: Int?
    var pages: Int
}

@Suite("Counted groups of a join")
struct JoinCountsTests {
    private let client = InMemoryDBClient()

    init() throws {
        try client.blocking.insert((0..<6).map { Shelf(id: $0, room: "room \($0 % 2)") })
        try client.blocking.insert(
            (0..<40).map { Folder(id: $0, shelf: $0 % 5 == 4 ? nil : $0 % 4, pages: $0) }
        )
    }

    @Test("Groups by the first model that are counted alone are put together without joined rows")
    func counts() throws {
        let join = Shelf.leftJoin(Folder.self) { $0.id == $1.shelf }
        let isAbsent = RowCondition.isNil(column: 2)
        func count(_ condition: RowCondition) -> RowGrouping.Term {
            let type = FieldType.integer(bits: 64, signed: true)
            return .heldFunction(
                .sum,
                .init(
                    .choice(
                        condition,
                        then: .constant(.integer(1), type),
                        else: .constant(.integer(0), type)
                    )
                )
            )
        }
        try client.blocking.read { transaction in
            let query = try join.request.rowQuery()
            #expect(query.entity.fields.map(\.name)[2] == "Folder.id")
            let reader = try transaction.reader(of: query)
            func grouping(_ terms: [RowGrouping.Term]) -> RowGrouping {
                RowGrouping(query, by: [.init(1)], terms: terms)
            }
            let counted = grouping([.count, count(isAbsent), count(.not(isAbsent))])
            // As an engine is asked: what has its own way says so.
            #expect(try reader.canGroup(counted))
            #expect(try !reader.canGroup(grouping([.function(.sum, column: 4)])))
            #expect(try !reader.canGroup(grouping([count(.isNil(column: 3))])))
            var rows: [[StorageValue]] = []
            try reader.group(counted) { group in rows.append(group.map { StorageValue($0) }) }
            // Shelves 4 and 5 are empty, and the folders of the others are 8 each.
            #expect(
                rows == [
                    [.text("room 0"), .integer(17), .integer(1), .integer(16)],
                    [.text("room 1"), .integer(17), .integer(1), .integer(16)],
                ]
            )
        }
    }
}
