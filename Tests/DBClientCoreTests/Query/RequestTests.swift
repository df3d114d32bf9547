import DBClientCore
import Testing

@Suite("Requests")
struct RequestTests {
    @Test("Chaining replaces sort, limit and offset, and adds conditions")
    func chaining() throws {
        let query = try Character.where { $0.power > 1 }
            .sorted { $0.power }.sorted { [$0.name.descending, $0.debut.year] }
            .limit(5).limit(3).offset(1).offset(2).rowQuery()
        #expect(
            query.orderings == [
                RowOrdering(column: Character.column("name"), isDescending: true),
                RowOrdering(column: Character.column("debut_year")),
            ]
        )
        #expect(query.limit == 3)
        #expect(query.offset == 2)
        #expect(try Character.all.limit(3).limit(nil).rowQuery().limit == nil)
    }

    @Test("A negative limit or offset is refused, also when it is replaced later")
    func negative() {
        #expect(failure { try Character.all.limit(-1).rowQuery() }?.code == .invalidRequest)
        #expect(failure { try Character.all.offset(-1).rowQuery() }?.code == .invalidRequest)
        #expect(failure { try Character.all.limit(0).rowQuery() } == nil)
    }

    @Test("Nil comes first ascending and last descending unless said otherwise")
    func nils() throws {
        let fields = Character.all.sorted {
            [
                $0.power, $0.power.descending, $0.power.ascending.nilsLast,
                $0.power.descending.nilsFirst,
            ]
        }
        #expect(
            try fields.rowQuery().orderings.map(\.nilsFirst) == [true, false, false, true]
        )
    }

    @Test("The order is total: it ends with what the sort leaves open of the primary key")
    func totalOrder() throws {
        let name = RowOrdering(column: Character.column("name"))
        let key = RowOrdering(column: 0)
        #expect(try Character.all.rowQuery().totalOrder == [key])
        #expect(try Character.all.sorted { $0.name }.rowQuery().totalOrder == [name, key])
        let keyed = try Character.all.sorted { [$0.identifier.descending, $0.name] }.rowQuery()
        #expect(keyed.totalOrder == [RowOrdering(column: 0, isDescending: true)])
        #expect(!keyed.isInKeyOrder)
        #expect(try Character.all.sorted { $0.identifier }.rowQuery().isInKeyOrder)
    }

    @Test("A text key sorted without case still needs the key itself to tell rows apart")
    func foldedKey() throws {
        let query = try Word.all.sorted { $0.word.ascending.caseInsensitive }.rowQuery()
        #expect(
            query.totalOrder == [
                RowOrdering(column: 0, text: .caseInsensitive), RowOrdering(column: 0),
            ]
        )
    }

    @Test("Only text is sorted without case")
    func foldedNumber() {
        let error = failure {
            try Character.all.sorted { $0.power.ascending.caseInsensitive }.rowQuery()
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.field == "power")
    }

    @Test("The order of rows is the plain one, over random sorts and rows")
    func comparator() throws {
        var generator = SeededGenerator(seed: 5)
        let rows = (0..<60).map { Sample.row($0, using: &generator) }
        let buffer = try Sample.buffer(rows)
        for _ in 0..<40 {
            let orderings = (0..<3).map { _ in
                let column = Int.random(in: 1...5, using: &generator)
                return RowOrdering(
                    column: column,
                    isDescending: .random(using: &generator),
                    nilsFirst: .random(using: &generator),
                    text: column == Sample.text && Bool.random(using: &generator)
                        ? .caseInsensitive : .binary
                )
            }
            let comparator = RowComparator(orderings)
            for left in rows.indices {
                for right in rows.indices {
                    let order = withExtendedLifetime(buffer) {
                        comparator.compare(
                            orderings.map { buffer.batch[left, $0.column] },
                            orderings.map { buffer.batch[right, $0.column] }
                        )
                    }
                    let expected = Evaluation.order(rows[left], rows[right], by: orderings)
                    #expect(order.signum() == expected)
                    if order.signum() != expected { return }
                }
            }
        }
    }
}

@Stored private struct Word {
    @PrimaryKey var word: String
}
