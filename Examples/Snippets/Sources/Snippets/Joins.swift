import DBClientCore
import Foundation

/// A line of an order, of a product by its key.
@Stored struct SoldLine {
    @PrimaryKey let id: Int
    @Indexed var product: Int
    var quantity: Int
    var soldAt: Date
}

/// A product of a shop.
@Stored struct ShopProduct {
    @PrimaryKey let id: Int
    var name: String
    var price: Int
    var category: String?
}

/// A category of products.
@Stored struct Category {
    @PrimaryKey let code: String
    var title: String
}

func joins(on client: any DBClient) async throws {
    // snippet: joins
    let lines = SoldLine.join(ShopProduct.self) { $0.product == $1.id }
        .leftJoin(Category.self) { line, product, category in product.category == category.code }
        .filter { line, product, category in line.quantity > 1 }
    for (line, product, category) in try await client.fetch(lines.limit(10)) {
        print(line.id, product.name, category?.title ?? "none")
    }
    let amounts = try await client.fetch(
        lines.sorted { line, product, category in [category.title, product.name] }
            .select { line, product, category in
                (product.name, line.quantity * product.price, category)
            }
    )
    let revenue = try await client.fetch(
        lines.grouped { line, product, category in (line.soldAt.month, category.title) }
            .select(.count, .sum { line, product, category in line.quantity * product.price })
    )
    // end snippet
    _ = (amounts, revenue)
    // snippet: selections
    let names = SoldLine.join(ShopProduct.self) { $0.product == $1.id }
        .sorted { line, product in product.name }
        .select { line, product in product.name }
    let page = try await client.fetch(names.distinct().offset(20).limit(10))
    // end snippet
    _ = page
}
