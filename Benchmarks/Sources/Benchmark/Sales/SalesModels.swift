import DBClientCore
import Foundation

/// A line of an order: so many of a product, for a customer.
struct SalesLine: Stored {
    let id: Int
    var product: Int
    var customer: Int
    var quantity: Int
    /// In percent.
    var discount: Int
    var soldAt: Date

    static let schema = Schema<SalesLine>(
        name: "SalesLine",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.product, "product", index: .plain),
            .field(\.customer, "customer", index: .plain), .field(\.quantity, "quantity"),
            .field(\.discount, "discount"), .field(\.soldAt, "soldAt"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        product = try row.read()
        customer = try row.read()
        quantity = try row.read()
        discount = try row.read()
        soldAt = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(product)
        try row.write(customer)
        try row.write(quantity)
        try row.write(discount)
        try row.write(soldAt)
    }

    /// A line by its number, of one of so many products and customers, on a day of two years.
    init(_ id: Int, products: Int, customers: Int) {
        var random = UInt64(id) &* 0x9E37_79B9_7F4A_7C15 ^ 0x5DEE_CE66
        func below(_ limit: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((random >> 33) % UInt64(max(limit, 1)))
        }
        self.id = id
        product = below(products)
        // Some customers buy nothing.
        customer = below(max(customers * 9 / 10, 1))
        quantity = below(50) + 1
        discount = below(11)
        soldAt = Date(
            timeIntervalSince1970: 1_704_067_200 + Double(below(730) * 86_400 + below(86_400))
        )
    }
}

/// A product, with its price in cents.
struct SalesProduct: Stored {
    let id: Int
    var name: String
    var category: String
    var price: Int

    static let schema = Schema<SalesProduct>(
        name: "SalesProduct",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.name, "name"),
            .field(\.category, "category"), .field(\.price, "price"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        category = try row.read()
        price = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(category)
        try row.write(price)
    }

    init(_ id: Int) {
        self.id = id
        name = "product \(id)"
        category = "category \(id % 25)"
        price = (id &* 7919) % 9_900 + 100
    }
}

/// A customer of one of 20 countries and five segments.
struct SalesCustomer: Stored {
    let id: Int
    var name: String
    var country: String
    var segment: String

    static let schema = Schema<SalesCustomer>(
        name: "SalesCustomer",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.name, "name"),
            .field(\.country, "country"), .field(\.segment, "segment"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        country = try row.read()
        segment = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(country)
        try row.write(segment)
    }

    init(_ id: Int) {
        self.id = id
        name = "customer \(id)"
        country = "country \(id % 20)"
        segment = "segment \(id / 20 % 5)"
    }
}

/// The sales of a run: a line for each row, a product for 20 of them and a customer for 200.
struct Sales {
    let lines: [SalesLine]
    let products: [SalesProduct]
    let customers: [SalesCustomer]

    init(of count: Int) {
        let (products, customers) = (max(count / 20, 1), max(count / 200, 1))
        lines = (0..<count).map { SalesLine($0, products: products, customers: customers) }
        self.products = (0..<products).map { SalesProduct($0) }
        self.customers = (0..<customers).map { SalesCustomer($0) }
    }

    func insert(into client: any DBClient) throws {
        try client.blocking.insert(products)
        try client.blocking.insert(customers)
        try client.blocking.insert(lines)
    }
}
