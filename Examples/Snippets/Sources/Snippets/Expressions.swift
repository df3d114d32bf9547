import DBClientCore
import Foundation

/// A line of an order.
@Stored struct OrderLine {
    @PrimaryKey let id: Int
    var product: String
    var price: Double
    var quantity: Int
    var returned: Int
    var soldAt: Date
}

func expressions(on client: any DBClient) async throws {
    // snippet: expressions
    let large = OrderLine.where { $0.price * $0.quantity.converted(to: Double.self) > 100 }
        .sorted { $0.product.lowercased() }
    let amounts = try await client.fetch(large.select { ($0.id, $0.price * 1.2) })
    let perMonth = OrderLine.all.grouped { ($0.soldAt.year, $0.soldAt.month) }
        .select(.count, .sum { $0.price * 1.2 })
    try await client.update(OrderLine.where { $0.quantity > 0 }) {
        $0.set(\.quantity) { $0.quantity - $0.returned }
    }
    // end snippet
    _ = (amounts, perMonth)
}
