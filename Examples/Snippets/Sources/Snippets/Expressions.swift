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

/// A line of an invoice.
@Stored struct InvoiceLine {
    @PrimaryKey let id: Int
    var invoice: Int
    var net: Decimal
    var rate: Decimal
    var shares: Int
}

func expressions(on client: any DBClient) async throws {
    // snippet: expressions
    let large = OrderLine.where { $0.price * $0.quantity.converted(to: Double.self) > 100 }
        .sorted { $0.product.lowercased() }
    let amounts = try await client.fetch(large.select { ($0.id, $0.price * 1.2) })
    let perMonth = OrderLine.all.grouped { ($0.soldAt.year, $0.soldAt.month) }
        .select(.count, .sum { $0.price * 1.2 })
    try await client.update(OrderLine.where { $0.quantity > 0 }) {
        $0.set(\.quantity, to: \.quantity - \.returned)
    }
    // end snippet
    _ = (amounts, perMonth)
    // snippet: zones
    guard let berlin = TimeZone(identifier: "Europe/Berlin") else { return }
    let perDay = OrderLine.all.grouped { $0.soldAt.startOfDay(in: berlin) }
        .select(.count, .sum(\.quantity))
    let atNight = OrderLine.where { $0.soldAt.hour(in: berlin) < 6 }
    // end snippet
    // snippet: decimals
    let gross = InvoiceLine.all.grouped { $0.invoice }
        .select(.sum { ($0.net + $0.net * $0.rate).rounded(scale: 2) })
    let parts = InvoiceLine.where { $0.shares > 0 }.select {
        ($0.id, $0.net.divided(by: $0.shares.converted(to: Decimal.self), scale: 2))
    }
    // end snippet
    _ = (perDay, atNight, gross, parts)
}
