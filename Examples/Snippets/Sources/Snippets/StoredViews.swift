import DBClientCore

// snippet: stored-view
/// A line of an order.
@Stored struct OrderedLine {
    @PrimaryKey let id: Int
    @Indexed var category: String
    var amount: Int

    static var storedViews: [any StoredView.Type] { [CategoryRevenue.self] }
}

/// What the lines of a category come to.
@StoredView struct CategoryRevenue {
    @PrimaryKey let category: String
    @Indexed let total: Int
    let lines: Int

    static var definition: SelectRequest<CategoryRevenue> {
        OrderedLine.all.grouped { $0.category }
            .select(into: CategoryRevenue.self) { group, keys in
                .init(category: keys[0], total: group.sum(\.amount), lines: group.count)
            }
    }
}
// end snippet

// snippet: stored-view-join
/// A product, for whose category its lines count.
@Stored struct ListedProduct {
    @PrimaryKey let id: Int
    var category: String
    var price: Int

    static var storedViews: [any StoredView.Type] { [ProductRevenue.self] }
}

/// A line of a product.
@Stored struct ListedLine {
    @PrimaryKey let id: Int
    @Indexed var product: Int
    var quantity: Int

    static var storedViews: [any StoredView.Type] { [ProductRevenue.self] }
}

/// What the products of a category bring.
@StoredView struct ProductRevenue {
    @PrimaryKey let category: String
    let revenue: Int

    static var definition: SelectRequest<ProductRevenue> {
        ListedLine.join(ListedProduct.self) { $0.product == $1.id }
            .grouped { line, product in product.category }
            .select(into: ProductRevenue.self) { group, keys in
                .init(
                    category: keys[0],
                    revenue: group.sum { line, product in line.quantity * product.price }
                )
            }
    }
}
// end snippet

func readStoredView(_ client: any DBClient) async throws -> [CategoryRevenue] {
    // snippet: stored-view-read
    try await client.insert(OrderedLine(id: 1, category: "books", amount: 12))
    let best = try await client.fetch(
        CategoryRevenue.all.sorted { $0.total.descending }.limit(10)
    )
    // end snippet
    return best
}

func buildStoredView(_ client: any DBClient) async throws {
    // snippet: stored-view-build
    try await client.migrate(to: OrderedLine.self, CategoryRevenue.self)
    try await client.verify(CategoryRevenue.self)
    // end snippet
}
