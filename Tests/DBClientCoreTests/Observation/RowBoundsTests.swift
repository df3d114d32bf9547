import DBClientTesting
import Testing

@testable import DBClientCore

@Suite("Which rows are captured for those who observe some of them")
struct RowBoundsTests {
    private let entity = Sample.entity

    private func filter(_ conditions: RowCondition...) -> RowFilter? {
        let watches = conditions.reduce(WatchList.empty) { list, condition in
            list.changing([entity]) {
                $0.add(within: RowBounds(RowQuery(entity, where: condition)))
            }
        }
        return watches.filter(of: entity.exactName, entity)
    }

    private func wanted(_ filter: RowFilter?, _ rows: [[StorageValue]]) throws -> [Bool] {
        let filter = try #require(filter)
        let buffer = try Sample.buffer(rows)
        return withExtendedLifetime(buffer) {
            let batch = buffer.batch
            return (0..<batch.count).map { filter.wants(batch.row($0).slots) }
        }
    }

    private func row(_ integer: Int64?, _ text: String? = nil) -> [StorageValue] {
        [
            .integer(1), integer.map { .integer($0) } ?? .null, .null,
            text.map { .text($0) } ?? .null, .null, .null,
        ]
    }

    private func compare(_ comparison: Comparison, _ value: Int64) -> RowCondition {
        .compare(column: Sample.integer, comparison, .integer(value), .binary)
    }

    @Test("Every row that fulfils a condition is within its bounds, over random trees and rows")
    func necessary() throws {
        var generator = SeededGenerator(seed: 11)
        let rows = (0..<100).map { Sample.row($0, using: &generator) }
        let buffer = try Sample.buffer(rows)
        var (leftOut, bounded) = (0, 0)
        for _ in 0..<3_000 {
            let condition = RandomCondition.make(depth: 3, rows, using: &generator)
            guard let filter = filter(condition) else { continue }
            bounded += 1
            let predicate = RowPredicate(condition, of: entity)
            let wanted = try wanted(filter, rows)
            leftOut += wanted.count { !$0 }
            for index in rows.indices
            where predicate.matches(BufferRow(buffer: buffer, index: index)) {
                #expect(wanted[index], "\(condition) for \(rows[index])")
            }
        }
        #expect(bounded > 300)
        #expect(leftOut > bounded * 20)
    }

    @Test("Bounds of one field are put together, and a field with two comes before one with one")
    func bounds() throws {
        let range = RowCondition.all([
            .matches(column: Sample.text, TextPattern(.prefix, "b")),
            .all([compare(.greater, 2), compare(.lessOrEqual, 5)]), compare(.less, 9),
        ])
        let integers: [Int64?] = [nil, 1, 2, 5, 6, 9]
        #expect(
            try wanted(filter(range), integers.map { row($0) })
                == [false, false, true, true, false, false]
        )
        let list = RowCondition.isIn(column: Sample.integer, [.integer(6), .integer(2)])
        #expect(
            try wanted(filter(list), integers.map { row($0) })
                == [false, false, true, true, true, false]
        )
        let prefix = RowCondition.matches(column: Sample.text, TextPattern(.prefix, "b"))
        #expect(
            try wanted(filter(prefix), [nil, "a", "b", "bc", "c"].map { row(0, $0) })
                == [false, false, true, true, true]
        )
    }

    @Test("What several observe is wanted by one of them; what anybody observes at large, always")
    func several() throws {
        let both = filter(compare(.equal, 1), compare(.greater, 5))
        #expect(
            try wanted(both, [nil, 0, 1, 2, 5, 6].map { row($0) })
                == [false, false, true, false, true, true]
        )
        for condition in [
            .constant(true), compare(.notEqual, 1), .any([compare(.equal, 1), .constant(false)]),
            .not(compare(.equal, 1)), .isNil(column: Sample.integer),
            .matches(column: Sample.text, TextPattern(.prefix, "b", ignoresCase: true)),
        ] as [RowCondition] {
            #expect(filter(compare(.equal, 1), condition) == nil)
        }
        let many = (0...RowFilter.limit).reduce(WatchList.empty) { list, number in
            list.changing([entity]) {
                $0.add(
                    within: RowBounds(RowQuery(entity, where: compare(.equal, Int64(number))))
                )
            }
        }
        #expect(many.filter(of: entity.exactName, entity) == nil)
    }

    @Test("Nothing is left out for feeds and for other processes")
    func others() {
        let bounds = RowBounds(RowQuery(entity, where: compare(.equal, 1)))
        let list = WatchList.empty.changing([entity]) { $0.add(within: bounds) }
        #expect(list.filter(of: entity.exactName, entity) != nil)
        let fed = list.changing([entity]) { $0.feeds += 1 }
        #expect(fed.filter(of: entity.exactName, entity) == nil)
        let shared = list.changing(others: [entity.exactName])
        #expect(shared.filter(of: entity.exactName, entity) == nil)
    }

    @Test("A watch ends with its last result")
    func ending() {
        let bounds = RowBounds(RowQuery(entity, where: compare(.equal, 1)))
        var list = WatchList.empty
        for bounds in [bounds, bounds, nil] {
            list = list.changing([entity]) { $0.add(within: bounds) }
        }
        for bounds in [bounds, nil] {
            list = list.changing([entity]) { $0.remove(within: bounds) }
            #expect(!list.isEmpty)
        }
        #expect(list.filter(of: entity.exactName, entity) != nil)
        list = list.changing([entity]) { $0.remove(within: bounds) }
        #expect(list.isEmpty)
    }
}
