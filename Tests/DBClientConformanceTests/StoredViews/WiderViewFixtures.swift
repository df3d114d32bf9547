import DBClientCore
import DBClientTesting

/// The lines of `Ordered` as a later version has them, with a property more, of which no view has any use.
enum Wider {
    @Stored("OrderLine") struct Line: Equatable {
        @PrimaryKey var id: Int
        var region = ""
        var category: String
        var amount: Int
        var weight: Double?
        var isOpen = true
    }

    @StoredView("OrderRevenue") struct Revenue: Equatable {
        @PrimaryKey let category: String
        let total: Int
        let lines: Int
        let least: Int?
        let weight: Double?

        static var definition: SelectRequest<Revenue> {
            Line.all.grouped { $0.category }
                .select(into: Revenue.self) { group, keys in
                    .init(
                        category: keys[0],
                        total: group.sum(\.amount),
                        lines: group.count,
                        least: group.min(\.amount),
                        weight: group.average(\.weight)
                    )
                }
        }
    }

    @StoredView("OrderBusy") struct Busy: Equatable {
        let lines: Int
        @PrimaryKey let category: String
        @PrimaryKey let amount: Int

        static var definition: SelectRequest<Busy> {
            Line.where { $0.isOpen == true }.grouped { ($0.amount, $0.category) }
                .having { $0.count > 1 }
                .select(into: Busy.self) { group, keys in
                    .init(lines: group.count, category: keys[1], amount: keys[0])
                }
        }
    }

    @StoredView("OrderOpen") struct Open: Equatable {
        @PrimaryKey let id: Int
        let category: String
        let doubled: Int

        static let indexes = [StoredIndex<Open>(\.category)]

        static var definition: SelectRequest<Open> {
            Line.where { $0.isOpen == true }
                .select(into: Open.self) {
                    .init(id: $0.id, category: $0.category, doubled: $0.amount * 2)
                }
        }
    }
}

extension Wider.Line {
    static let storedViews: [any StoredView.Type] = [
        Wider.Revenue.self, Wider.Busy.self, Wider.Open.self,
    ]
}
