import DBClientCore
import Foundation

// snippet: selection-types
@Selection struct LineAmount {
    let product: String
    let category: String?
    let amount: Int
}

@Selection struct ProductSales {
    let product: Int
    let sold: Int
    let lines: Int
}

@Selection struct MonthlySales {
    let year: Int?
    let month: Int?
    let keys: Int
    let sold: Int
}
// end snippet

func amountsOfLines(on client: any DBClient) async throws {
    // snippet: selection
    let amounts = SoldLine.join(ShopProduct.self) { $0.product == $1.id }
        .select(into: LineAmount.self) { line, product in
            .init(
                product: product.name,
                category: product.category,
                amount: line.quantity * product.price
            )
        }
    for row in try await client.fetch(amounts) { print(row.product, row.amount) }

    let perProduct = SoldLine.all.grouped { $0.product }
        .select(into: ProductSales.self) { group, keys in
            .init(product: keys[0], sold: group.sum(\.quantity), lines: group.count)
        }
    // Each month, each year, and all together: a row that has no keys, or one, is a total.
    let perMonth = SoldLine.all.grouped { ($0.soldAt.year, $0.soldAt.month) }.rollup
        .select(into: MonthlySales.self) { group, keys in
            .init(year: keys[0], month: keys[1], keys: keys.count, sold: group.sum(\.quantity))
        }
    // end snippet
    _ = try await client.fetch(perProduct)
    _ = try await client.fetch(perMonth)
}

func reports(on client: any DBClient) async throws {
    // snippet: reports
    let lines = SoldLine.join(ShopProduct.self) { $0.product == $1.id }
    let best = lines.grouped { _, product in product.name }
        .sorted { $0.sum { line, product in line.quantity * product.price }.descending }
        .limit(10)
        .select(
            .sum { line, product in line.quantity * product.price },
            .count { line, _ in line.quantity > 5 },
            .countDistinct { line, _ in line.soldAt.month }
        )
    for (name, (revenue, large, months)) in try await client.fetch(best) {
        print(name, revenue, large, months)
    }
    // Each month of each year, each year, and all together: nil where a row is a total.
    let months = SoldLine.all.grouped { ($0.soldAt.year, $0.soldAt.month) }.rollup
        .select(.sum(\.quantity))
    for ((year, month), sold) in try await client.fetch(months) {
        print(year ?? 0, month ?? 0, sold)
    }
    // end snippet
    // snippet: windows
    let ranking = ShopProduct.all.select { product in
        let category = Window(of: product, by: product.category)
            .sorted(by: product.price.descending)
        return (
            product.name, category.rank, category.sum(product.price),
            Window(of: product).share(of: product.price)
        )
    }
    // end snippet
    // snippet: window-filter
    let twoDearest = ShopProduct.all.select { product in
        let category = Window(of: product, by: product.category)
            .sorted(by: product.price.descending)
        return (product.name, category.rank)
    }
    .filter { name, rank in rank <= 2 }
    // end snippet
    _ = try await client.fetch(twoDearest)
    // snippet: subqueries
    let dear = SoldLine.where { $0.product.isIn(ShopProduct.where { $0.price > 100 }.select(\.id)) }
    let sold = ShopProduct.where { product in
        SoldLine.where { $0.quantity > 5 }.exists { line in line.product == product.id }
    }
    let often = ShopProduct.where { product in
        SoldLine.all.count { line in line.product == product.id } > 100
    }
    // end snippet
    // snippet: sets
    let dearest = ShopProduct.all.sorted { $0.price.descending }.limit(10)
    let latest = ShopProduct.all.sorted { $0.id.descending }.limit(10)
    let shown = dearest.union(latest).sorted { $0.name }
    let lasting = dearest.intersection(ShopProduct.where { $0.category == "toys" })
    let rest = ShopProduct.all.subtracting(dearest)
    // Of the ten dearest those of a category, not the ten dearest of a category.
    let ofCategory = dearest.asSource().filter { $0.category == "toys" }
    // end snippet
    _ = (
        try await client.fetch(ranking), try await client.count(dear), try await client.count(sold),
        try await client.count(often)
    )
    for request in [shown, lasting, rest, ofCategory] { _ = try await client.count(request) }
    // snippet: selection-sets
    let offered = ShopProduct.all.select { ($0.id, $0.category) }
    let wanted = SoldLine.join(ShopProduct.self) { $0.product == $1.id }
        .select { line, product in (product.id, product.category) }
    let unsold = try await client.fetch(offered.subtracting(wanted))
    let named = try await client.fetch(
        ShopProduct.all.select(\.name).union(Category.all.select(\.title))
    )
    // end snippet
    print(unsold.count, named.count)
}

func groupWindows(on client: any DBClient) async throws {
    // snippet: group-windows
    // The ten best of all months and categories, with their shares of the whole and their places in the month.
    let sold = SoldLine.join(ShopProduct.self) { $0.product == $1.id }
    let months = sold.grouped { line, product in (line.soldAt.startOfMonth, product.category) }
        .sorted { $0.sum { line, product in line.quantity * product.price }.descending }
        .limit(10)
        .select { group in
            let revenue = group.sum { line, product in line.quantity * product.price }
            let month = group.window(by: group.key(0))
            return (
                revenue, group.window().share(of: revenue),
                month.sorted(by: revenue.descending).rank
            )
        }
    for ((month, category), (revenue, share, place)) in try await client.fetch(months) {
        print(month, category ?? "none", revenue, share ?? 0, place)
    }
    // end snippet
}
