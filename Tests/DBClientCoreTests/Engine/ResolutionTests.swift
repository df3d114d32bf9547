import DBClientCore
import DBClientTesting
import Testing

@Suite("Conditions on related rows become conditions on the row")
struct ResolutionTests {
    private let reader: FakeWriter

    init() throws {
        reader = FakeEngine().begin()
        try reader.insert(encode((1...9).map { Character(identifier: $0, name: "Hero") }))
    }

    /// Returns the identifiers of a condition's rows and what was asked of the related ones.
    private func resolve(
        _ condition: RowCondition
    ) throws -> (found: [StorageValue], asked: [RowCondition]) {
        let before = reader.conditions.count
        let query = try RowQuery(Character.schema.entity, where: condition).resolved(by: reader)
        let asked = Array(reader.conditions.dropFirst(before))
        var found: [StorageValue] = []
        try reader.scan(query) { batch in
            found += (0..<batch.count).map { StorageValue(batch[$0, 0]) }
            return true
        }
        return (found, asked)
    }

    /// Rows whose identifier is the row's own: one for each.
    private func related(_ comparison: Comparison, _ number: Int) -> RowCondition {
        .related(
            RelatedRows(
                Character.schema.entity,
                [0],
                matching: [0],
                count: RowCount(comparison, number)
            )
        )
    }

    @Test("All related rows are read where nothing is known of the row")
    func unlimited() throws {
        let (found, asked) = try resolve(related(.equal, 1))
        #expect(found == (1...9).map { .integer($0) })
        #expect(asked == [.constant(true)])
    }

    @Test("A condition on the row's own key limits the related rows that are read")
    func limited() throws {
        let five = RowCondition.compare(column: 0, .equal, .integer(5), .binary)
        let limit = RowCondition.all([.isIn(column: 0, [.integer(5)])])
        var (found, asked) = try resolve(.all([five, related(.equal, 1)]))
        #expect(found == [.integer(5)])
        #expect(asked == [limit])
        (found, asked) = try resolve(
            .all([.any([related(.equal, 0), .not(related(.less, 1))]), five])
        )
        #expect(found == [.integer(5)])
        #expect(asked == [limit, limit])
        (found, _) = try resolve(.all([five, related(.greater, 1)]))
        #expect(found.isEmpty)
    }

    @Test("What is known under one alternative does not limit another")
    func alternatives() throws {
        let (found, asked) = try resolve(
            .any([
                .all([.isIn(column: 0, [.integer(2)]), related(.equal, 1)]),
                .all([.compare(column: 0, .greater, .integer(7), .binary), related(.equal, 1)]),
            ])
        )
        #expect(found == [.integer(2), .integer(8), .integer(9)])
        #expect(asked == [.all([.isIn(column: 0, [.integer(2)])]), .constant(true)])
    }
}
