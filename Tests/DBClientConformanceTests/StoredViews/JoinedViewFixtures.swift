import DBClientCore
import DBClientTesting

/// What is sold, of which views are kept over joins.
enum Sold {
    @Stored("SoldVendor") struct Vendor: Equatable {
        @PrimaryKey var id: Int
        var country: String
    }

    @Stored("SoldProduct") struct Product: Equatable {
        @PrimaryKey var id: Int
        var category: String
        var price: Int
        var vendor: Int?
        var remark = ""
    }

    @Stored("SoldLine") struct Line: Equatable {
        @PrimaryKey var id: Int
        @Indexed var product: Int
        var quantity: Int
        @Relationship(onDelete: .weak) var gift: Reference<Product>?
        var note: String?
    }

    /// What each category brings.
    @StoredView("SoldRevenue") struct Revenue: Equatable {
        @PrimaryKey let category: String
        let revenue: Int
        let lines: Int
        let dearest: Int?

        static var definition: SelectRequest<Revenue> {
            Line.join(Product.self) { $0.product == $1.id }
                .grouped { line, product in product.category }
                .select(into: Revenue.self) { group, keys in
                    .init(
                        category: keys[0],
                        revenue: group.sum { line, product in line.quantity * product.price },
                        lines: group.count,
                        dearest: group.max { line, product in product.price }
                    )
                }
        }
    }

    /// What each country sells of each product, of lines of several pieces.
    @StoredView("SoldByCountry") struct ByCountry: Equatable {
        let pieces: Int
        @PrimaryKey let country: String
        @PrimaryKey let product: Int

        static var definition: SelectRequest<ByCountry> {
            Line.where { $0.quantity > 1 }
                .join(Product.self) { $0.product == $1.id }
                .join(Vendor.self) { $1.vendor == $2.id }
                .grouped { line, product, vendor in (line.product, vendor.country) }
                .select(into: ByCountry.self) { group, keys in
                    .init(
                        pieces: group.sum { line, product, vendor in line.quantity },
                        country: keys[1],
                        product: keys[0]
                    )
                }
        }
    }

    /// Each line with what is known of its product, and of what is given with it.
    @StoredView("SoldLabel") struct Label: Equatable {
        @PrimaryKey let id: Int
        let category: String?
        let price: Int?
        let gift: String?

        static var definition: SelectRequest<Label> {
            Line.where { $0.gift.category != "secret" }
                .leftJoin(Product.self) { $0.product == $1.id && $1.price > 2 }
                .select(into: Label.self) { line, product in
                    .init(
                        id: line.id,
                        category: product.category,
                        price: product.price * line.quantity,
                        gift: line.gift.category
                    )
                }
        }
    }

    /// The lines with what is given with them, through the reference.
    @StoredView("SoldGift") struct Gift: Equatable {
        @PrimaryKey let id: Int
        let category: String
        let quantity: Int

        static var definition: SelectRequest<Gift> {
            Line.join(\.gift)
                .select(into: Gift.self) { line, gift in
                    .init(id: line.id, category: gift.category, quantity: line.quantity)
                }
        }
    }

    /// Products as a program has them that knows of no view.
    @Stored("SoldProduct") struct PlainProduct: Equatable {
        @PrimaryKey var id: Int
        var category: String
        var price: Int
        var vendor: Int?
        var remark = ""
    }
}

extension Sold.Vendor {
    static let storedViews: [any StoredView.Type] = [Sold.ByCountry.self]
}

extension Sold.Product {
    static let storedViews: [any StoredView.Type] = [
        Sold.Revenue.self, Sold.ByCountry.self, Sold.Label.self, Sold.Gift.self,
    ]
}

extension Sold.Line {
    static let storedViews: [any StoredView.Type] = [
        Sold.Revenue.self, Sold.ByCountry.self, Sold.Label.self, Sold.Gift.self,
    ]
}

/// Joins of which no view can be kept.
enum Unjoined {
    @Stored("UnjoinedLeaf") struct Leaf {
        let id: Int
        var tree: Int
        var name: String

        static var storedViews: [any StoredView.Type] {
            [ByName.self, HalfNamed.self]
        }
    }

    @Stored("UnjoinedTree") struct Tree {
        let id: Int
        var name: String

        static var storedViews: [any StoredView.Type] { [ByName.self] }
    }

    /// Reaches trees otherwise than by their key.
    @StoredView("UnjoinedByName") struct ByName {
        let id: Int

        static var definition: SelectRequest<ByName> {
            Leaf.join(Tree.self) { $0.name == $1.name }
                .select(into: ByName.self) { leaf, tree in .init(id: leaf.id) }
        }
    }

    @Stored("UnjoinedBud") struct Bud {
        let id: Int
        var twig: Int

        static var storedViews: [any StoredView.Type] { [HalfNamed.self] }
    }

    @Stored("UnjoinedTwig") struct Twig {
        let id: Int
        var name: String
    }

    /// Is not named by the twigs.
    @StoredView("UnjoinedHalfNamed") struct HalfNamed {
        let id: Int
        let name: String

        static var definition: SelectRequest<HalfNamed> {
            Bud.join(Twig.self) { $0.twig == $1.id }
                .select(into: HalfNamed.self) { bud, twig in .init(id: bud.id, name: twig.name) }
        }
    }
}
