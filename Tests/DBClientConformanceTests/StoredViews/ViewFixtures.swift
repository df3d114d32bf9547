import DBClientCore
import DBClientTesting

/// Lines of orders, of which views are kept, as versions of one program have them.
enum Ordered {
    @Stored("OrderLine") struct Line: Equatable {
        @PrimaryKey var id: Int
        var category: String
        var amount: Int
        var weight: Double?
        var isOpen = true
    }

    /// What a category brings.
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

    /// The open lines by category and whether they are dear, where there are several.
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

    /// The open lines, and what each comes to.
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

    /// The lines as a program has them that knows of no view.
    @Stored("OrderLine") struct PlainLine: Equatable {
        @PrimaryKey var id: Int
        var category: String
        var amount: Int
        var weight: Double?
        var isOpen = true
    }

    /// The lines of a later version, which counts other lines.
    @Stored("OrderLine") struct LaterLine: Equatable {
        @PrimaryKey var id: Int
        var category: String
        var amount: Int
        var weight: Double?
        var isOpen = true
    }

    @StoredView("OrderRevenue") struct LaterRevenue: Equatable {
        @PrimaryKey let category: String
        let total: Int
        let lines: Int
        let least: Int?
        let weight: Double?

        static var definition: SelectRequest<LaterRevenue> {
            LaterLine.where { $0.amount > 5 }.grouped { $0.category }
                .select(into: LaterRevenue.self) { group, keys in
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
}

extension Ordered.Line {
    static let storedViews: [any StoredView.Type] = [
        Ordered.Revenue.self, Ordered.Busy.self, Ordered.Open.self,
    ]
}

extension Ordered.LaterLine {
    static let storedViews: [any StoredView.Type] = [Ordered.LaterRevenue.self]
}

/// Views that cannot be kept, each of a model of its own that names it.
enum Unkept {
    @Stored struct Limited {
        let id: Int

        static var storedViews: [any StoredView.Type] { [LimitedView.self] }
    }

    @StoredView struct LimitedView {
        let id: Int

        static var definition: SelectRequest<LimitedView> {
            Limited.all.limit(3).select(into: LimitedView.self) { .init(id: $0.id) }
        }
    }

    @Stored struct Keyed {
        let id: Int
        var category: String

        static var storedViews: [any StoredView.Type] { [KeyedView.self] }
    }

    @StoredView struct KeyedView {
        @PrimaryKey let count: Int
        let category: String

        static var definition: SelectRequest<KeyedView> {
            Keyed.all.grouped { $0.category }
                .select(into: KeyedView.self) { .init(count: $0.count, category: $1[0]) }
        }
    }

    @Stored struct Unnamed {
        let id: Int
    }

    @StoredView struct UnnamedView {
        let id: Int

        static var definition: SelectRequest<UnnamedView> {
            Unnamed.all.select(into: UnnamedView.self) { .init(id: $0.id) }
        }
    }
}
