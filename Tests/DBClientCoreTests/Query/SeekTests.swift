import DBClientCore
import Testing

@Suite("The values after a value")
struct SeekTests {
    @Test("What comes after a value is exactly what the order puts after it, over random sorts")
    func random() throws {
        var generator = SeededGenerator(seed: 4)
        let rows = (0..<120).map { Sample.row($0, using: &generator) }
        let models = try decode(Sample.buffer(rows), as: Probe.self)
        for _ in 0..<150 {
            let sort = ordering(using: &generator)
            let filter = RandomCondition.make(depth: 2, rows, using: &generator)
            let place = Int.random(in: rows.indices, using: &generator)
            let base = Probe.all.sorted(by: sort)
            let query = try base.after(models[place]).rowQuery()
            let order = try base.rowQuery().totalOrder
            #expect(query.totalOrder == order)
            let both = RowCondition.conjunction(filter, query.condition)
            for row in rows {
                let isAfter = Evaluation.order(rows[place], row, by: order) < 0
                #expect(
                    Evaluation.holds(query.condition, for: row) == isAfter,
                    "\(row) after \(rows[place]) by \(order)"
                )
                #expect(
                    Evaluation.holds(both, for: row)
                        == (isAfter && Evaluation.holds(filter, for: row))
                )
            }
        }
    }

    private func ordering(using generator: inout SeededGenerator) -> [Ordering<Probe>] {
        let names = ["integer", "real", "text", "data", "identifier"]
        return (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in
            let name = names.randomElement(using: &generator) ?? "text"
            guard
                var ordering = try? Ordering<Probe>.field(
                    name,
                    descending: .random(using: &generator)
                )
            else { return nil }
            if Bool.random(using: &generator) { ordering = ordering.nilsFirst }
            if Bool.random(using: &generator) { ordering = ordering.nilsLast }
            if name == "text", Bool.random(using: &generator) {
                ordering = ordering.caseInsensitive
            }
            return ordering
        }
    }

    @Test("One ascending key begins with a range that an index can serve")
    func leadingRange() throws {
        let hero = Character(identifier: 7, name: "Iron Man")
        let name = Character.column("name")
        let query = try Character.where { $0.power > 1 }.sorted { $0.name }.after(hero).rowQuery()
        #expect(
            query.condition
                == .all([
                    .compare(column: Character.column("power"), .greater, .integer(1), .binary),
                    .compare(column: name, .greaterOrEqual, .text("Iron Man"), .binary),
                    .any([
                        .compare(column: name, .greater, .text("Iron Man"), .binary),
                        .all([
                            .compare(column: name, .equal, .text("Iron Man"), .binary),
                            .compare(column: 0, .greater, .integer(7), .binary),
                        ]),
                    ]),
                ])
        )
    }

    @Test("Without a sort it is a range of the primary key, also from the key alone")
    func primaryKey() throws {
        let expected = RowCondition.compare(column: 0, .greater, .integer(7), .binary)
        let hero = Character(identifier: 7, name: "x")
        #expect(try Character.all.after(hero).rowQuery().condition == expected)
        #expect(try Character.all.after(key: 7).rowQuery().condition == expected)
        let descending = Character.all.sorted { $0.identifier.descending }
        #expect(
            try descending.after(hero).rowQuery().condition
                == .compare(column: 0, .less, .integer(7), .binary)
        )
    }

    @Test("A key alone does not continue a sorted request")
    func keyOfSorted() {
        let request = Character.all.sorted { $0.name }.after(key: 7)
        #expect(failure { try request.rowQuery() }?.code == .invalidRequest)
        let ascending = Character.all.sorted { $0.identifier }.after(key: 7)
        #expect(failure { try ascending.rowQuery() } == nil)
    }

    @Test("The offset is dropped, the limit and what is wrong with the request are kept")
    func windows() throws {
        let hero = Character(identifier: 7, name: "x")
        let query = try Character.all.limit(5).offset(9).after(hero).rowQuery()
        #expect(query.limit == 5)
        #expect(query.offset == 0)
        #expect(
            failure { try Character.all.limit(-1).after(hero).rowQuery() }?.code == .invalidRequest
        )
        var nan = hero
        nan.height = .nan
        #expect(failure { try Character.all.after(nan).rowQuery() }?.code == .invalidValue)
    }
}
