import DBClientInMemory
import DBClientTesting
import Testing

@testable import DBClientCore

@Stored private struct Ware {
    let id: Int
    var name: String
    var whole: Int?
}

@Stored private struct Sale {
    let id: Int
    @Indexed var ware: Int?
    var buyer: String
}

@Suite("What a join keeps in memory")
struct JoinMemoryTests {
    private let client = InMemoryDBClient()
    private static let count = 1_500

    init() throws {
        try client.blocking.insert(
            (0..<Self.count).map {
                Ware(id: $0, name: "ware \($0 % 37)", whole: $0 % 3 == 0 ? nil : $0 / 2)
            }
        )
        try client.blocking.insert(
            (0..<Self.count).map {
                Sale(
                    id: $0,
                    ware: $0 % 7 == 0 ? nil : $0 * 31 % (Self.count + 40),
                    buyer: "b\($0 % 5)"
                )
            }
        )
    }

    private func rows<Rows>(
        _ request: JoinRequest<Rows>,
        _ memory: JoinMemory
    ) throws -> [[StorageValue]] {
        try client.blocking.read { transaction in
            let query = try request.request.rowQuery()
            let join = try #require(query.join)
            var rows: [[StorageValue]] = []
            try JoinPlan(join, query, transaction.reader(), memory)
                .select(Array(query.entity.fields.indices)) { batch in
                    for row in 0..<batch.count { rows.append(batch.values(at: row)) }
                    return true
                }
            return rows
        }
    }

    /// Compares the rows of a join in little memory with those in much, and with how many there must be.
    private func check<Rows>(
        _ request: JoinRequest<Rows>,
        count: Int,
        budget: Int = 30_000
    ) throws {
        let ample = JoinMemory()
        let expected = try rows(request, ample)
        #expect(expected.count == count)
        #expect(ample.peak > budget)
        #expect(ample.used == 0)
        let scarce = JoinMemory(budget: budget)
        #expect(try rows(request, scarce) == expected)
        // One row beyond is read to see that there are too many.
        #expect(scarce.peak <= budget + 200)
        #expect(scarce.used == 0)
        #expect(scarce.sortedPeak <= budget + 300)
    }

    @Test("The rows of equal fields are kept in parts, in the same order")
    func equalFields() throws {
        let wares = Set(0..<Self.count)
        let sold = (0..<Self.count).filter {
            $0 % 7 != 0 && wares.contains($0 * 31 % (Self.count + 40))
        }
        try check(Sale.join(Ware.self) { $0.ware == $1.id }, count: sold.count)
        try check(Sale.leftJoin(Ware.self) { $0.ware == $1.id }, count: Self.count)
        try check(
            Sale.join(Ware.self) { $0.ware == $1.id }.sorted { [$1.name, $0.id.descending] },
            count: sold.count
        )
        try check(
            Sale.join(Ware.self) { $0.ware == $1.id }.sorted { sale, _ in sale.id.descending }
                .offset(3).limit(sold.count - 10),
            count: sold.count - 10
        )
    }

    @Test("Several parts, one of them joined with itself, share the memory")
    func severalParts() throws {
        try check(
            Sale.leftJoin(Ware.self) { $0.ware == $1.id }
                .leftJoin(Ware.self) { _, ware, whole in ware.whole == whole.id },
            count: Self.count
        )
    }

    @Test(
        "Rows that are sorted and do not fit are passed on in parts, each once, in the same order"
    )
    func sortedRows() throws {
        let all = Sale.join(Ware.self) { $0.ware == $1.id }
        let count = try rows(all, JoinMemory()).count
        let sorts = [
            all.sorted { sale, ware in [ware.name.descending, sale.buyer] },
            all.sorted { sale, ware in [sale.buyer, ware.whole.nilsLast] },
            all.sorted { sale, ware in (ware.name + sale.buyer).descending },
            all.sorted { sale, ware in ware.id % 2 },
        ]
        for request in sorts {
            let ample = JoinMemory()
            let expected = try rows(request, ample)
            #expect(ample.sortedPeak > 200_000)
            for budget in [20_000, 100_000] {
                let scarce = JoinMemory(budget: budget)
                #expect(try rows(request, scarce) == expected)
                #expect(scarce.sortedPeak <= budget + 300)
                for (offset, limit) in [(0, count - 1), (700, 500), (count - 3, 9), (count, 5)] {
                    #expect(
                        try rows(request.offset(offset).limit(limit), JoinMemory(budget: budget))
                            == Array(expected.dropFirst(offset).prefix(limit))
                    )
                }
            }
        }
    }

    @Test("A join that is sorted in parts ends with the row that is the last one wanted")
    func endOfParts() throws {
        let request = Sale.join(Ware.self) { $0.ware == $1.id }.sorted { _, ware in ware.name }
        try client.blocking.read { transaction in
            let query = try request.request.rowQuery()
            let join = try #require(query.join)
            var batches = 0
            try JoinPlan(join, query, transaction.reader(), JoinMemory(budget: 20_000))
                .select([0]) { _ in
                    batches += 1
                    return false
                }
            #expect(batches == 1)
        }
    }

    @Test("What belongs to each row and does not fit is read for each")
    func skewedRows() throws {
        let few = Ware.where { $0.id < 3 }
        try check(
            few.join(Sale.self) { ware, sale in sale.buyer != ware.name },
            count: 3 * Self.count
        )
        try check(
            Ware.where { $0.id < 300 }
                .leftJoin(Sale.self) { ware, sale in sale.buyer == "b0" && sale.id > ware.id }
                .where { ware, sale in ware.id % 100 == 1 },
            count: (0..<300).filter { $0 % 100 == 1 }.reduce(0) { sum, ware in
                sum + (0..<Self.count).count { $0 % 5 == 0 && $0 > ware }
            },
            budget: 10_000
        )
    }
}
