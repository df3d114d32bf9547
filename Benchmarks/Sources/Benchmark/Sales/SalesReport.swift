import DBClientCore
import Foundation

/// A report as the library's user writes it, and as SQL by hand.
struct SalesReport: Sendable {
    let name: String
    let title: String
    /// Returns the rows that a client finds, to be summed up outside of the measured time.
    let fetch: @Sendable (any DBClient) throws -> () -> Int
    /// The statement; `{month}` stands for the month of a line, `{day N}` for the beginning of a day in 2024.
    let sql: String
}

/// A value of a row by hand.
enum SalesValue {
    case integer(Int)
    case text(String)
}

/// The sum of what rows hold, the same for all contestants, that depends on the order of the rows.
struct SalesAnswer {
    private(set) var sum = 0

    mutating func add(_ number: Int) { sum = sum &* 31 &+ number }

    mutating func add(_ text: String) {
        for byte in text.utf8 { sum = sum &* 31 &+ Int(byte) }
    }

    mutating func add(_ value: SalesValue) {
        switch value {
        case .integer(let number): add(number)
        case .text(let text): add(text)
        }
    }
}

extension SalesReport {
    private static func day(_ number: Int) -> Date {
        Date(timeIntervalSince1970: 1_704_067_200 + Double(number) * 86_400)
    }

    static func sum<Row>(
        _ rows: [Row],
        _ add: @escaping (Row, inout SalesAnswer) -> Void
    ) -> () -> Int {
        {
            var answer = SalesAnswer()
            for row in rows { add(row, &answer) }
            return answer.sum
        }
    }

    /// Ten questions of the kind that TPC-H asks, in this schema.
    static let all: [SalesReport] = [
        SalesReport(
            name: "report-1",
            title: "sums by discount of the lines until a day",
            fetch: { client in
                let rows = try client.blocking.fetch(
                    SalesLine.where { $0.soldAt <= day(600) }
                        .grouped(by: \.discount)
                        .select(
                            .count,
                            .sum(\.quantity),
                            .sum { $0.quantity * (100 - $0.discount) }
                        )
                )
                return sum(rows) { row, answer in
                    answer.add(row.key)
                    answer.add(row.values.0)
                    answer.add(row.values.1)
                    answer.add(row.values.2)
                }
            },
            sql: """
                SELECT discount, COUNT(*), SUM(quantity), SUM(quantity * (100 - discount))
                FROM "SalesLine" WHERE "soldAt" <= {day 600} GROUP BY discount ORDER BY discount
                """
        ),
        SalesReport(
            name: "report-3",
            title: "the ten customers of a segment with the largest revenue until a day",
            fetch: { client in
                let lines = SalesLine.where { $0.soldAt < day(365) }
                    .join(SalesCustomer.where { $0.segment == "segment 2" }) {
                        $0.customer == $1.id
                    }
                    .join(SalesProduct.self) { line, _, product in line.product == product.id }
                let rows = try client.blocking.fetch(
                    lines.grouped { line, customer, _ in (line.customer, customer.name) }
                        .sorted {
                            $0.sum { line, _, product in line.quantity * product.price }.descending
                        }
                        .limit(10)
                        .select(.sum { line, _, product in line.quantity * product.price })
                )
                return sum(rows) { row, answer in
                    answer.add(row.key.0)
                    answer.add(row.key.1)
                    answer.add(row.values)
                }
            },
            sql: """
                SELECT l.customer, c.name, SUM(l.quantity * p.price) AS revenue FROM "SalesLine" l
                JOIN "SalesCustomer" c ON l.customer = c.id JOIN "SalesProduct" p ON l.product = p.id
                WHERE c.segment = 'segment 2' AND l."soldAt" < {day 365}
                GROUP BY l.customer, c.name ORDER BY revenue DESC, l.customer, c.name LIMIT 10
                """
        ),
        SalesReport(
            name: "report-5",
            title: "revenue by category in a country",
            fetch: { client in
                let lines = SalesLine.join(SalesCustomer.where { $0.country == "country 7" }) {
                    $0.customer == $1.id
                }
                .join(SalesProduct.self) { line, _, product in line.product == product.id }
                let rows = try client.blocking.fetch(
                    lines.grouped { _, _, product in product.category }
                        .sorted {
                            $0.sum { line, _, product in line.quantity * product.price }.descending
                        }
                        .select(.sum { line, _, product in line.quantity * product.price })
                )
                return sum(rows) { row, answer in
                    answer.add(row.key)
                    answer.add(row.values)
                }
            },
            sql: """
                SELECT p.category, SUM(l.quantity * p.price) AS revenue FROM "SalesLine" l
                JOIN "SalesCustomer" c ON l.customer = c.id JOIN "SalesProduct" p ON l.product = p.id
                WHERE c.country = 'country 7' GROUP BY p.category ORDER BY revenue DESC, p.category
                """
        ),
        SalesReport(
            name: "report-6",
            title: "what small lines of a year gave in discounts",
            fetch: { client in
                let total: Int = try client.blocking.sum(
                    of: SalesLine.where {
                        $0.soldAt >= day(0) && $0.soldAt < day(366) && $0.discount >= 5
                            && $0.discount <= 7 && $0.quantity < 24
                    }
                ) { $0.quantity * $0.discount }
                return sum([total]) { $1.add($0) }
            },
            sql: """
                SELECT SUM(quantity * discount) FROM "SalesLine" WHERE "soldAt" >= {day 0}
                AND "soldAt" < {day 366} AND discount >= 5 AND discount <= 7 AND quantity < 24
                """
        ),
        SalesReport(
            name: "report-10",
            title: "twenty customers by what they bought in a quarter",
            fetch: { client in
                let lines = SalesLine.where { $0.soldAt >= day(274) && $0.soldAt < day(366) }
                    .join(SalesCustomer.self) { $0.customer == $1.id }
                let rows = try client.blocking.fetch(
                    lines.grouped { _, customer in (customer.id, customer.name, customer.country) }
                        .sorted { $0.sum { line, _ in line.quantity }.descending }
                        .limit(20)
                        .select(.sum { line, _ in line.quantity }, .count)
                )
                return sum(rows) { row, answer in
                    answer.add(row.key.0)
                    answer.add(row.key.1)
                    answer.add(row.key.2)
                    answer.add(row.values.0)
                    answer.add(row.values.1)
                }
            },
            sql: """
                SELECT c.id, c.name, c.country, SUM(l.quantity) AS bought, COUNT(*) FROM "SalesLine" l
                JOIN "SalesCustomer" c ON l.customer = c.id
                WHERE l."soldAt" >= {day 274} AND l."soldAt" < {day 366}
                GROUP BY c.id, c.name, c.country ORDER BY bought DESC, c.id, c.name, c.country LIMIT 20
                """
        ),
        SalesReport(
            name: "report-12",
            title: "large and small lines of each month",
            fetch: { client in
                let rows = try client.blocking.fetch(
                    SalesLine.all.grouped { $0.soldAt.month }
                        .select(.count { $0.quantity > 25 }, .count { $0.quantity <= 25 })
                )
                return sum(rows) { row, answer in
                    answer.add(row.key)
                    answer.add(row.values.0)
                    answer.add(row.values.1)
                }
            },
            sql: """
                SELECT {month} AS month, SUM(CASE WHEN quantity > 25 THEN 1 ELSE 0 END),
                SUM(CASE WHEN quantity <= 25 THEN 1 ELSE 0 END)
                FROM "SalesLine" GROUP BY {month} ORDER BY 1
                """
        ),
        SalesReport(
            name: "report-13",
            title: "how many lines each customer has, if any",
            fetch: { client in
                let lines = SalesCustomer.leftJoin(SalesLine.self) { $0.id == $1.customer }
                let rows = try client.blocking.fetch(
                    lines.grouped { customer, _ in customer.id }
                        .select(.count { _, line in !line.isAbsent })
                )
                return sum(rows) { row, answer in
                    answer.add(row.key)
                    answer.add(row.values)
                }
            },
            sql: """
                SELECT c.id, COUNT(l.id) FROM "SalesCustomer" c
                LEFT JOIN "SalesLine" l ON c.id = l.customer GROUP BY c.id ORDER BY c.id
                """
        ),
        SalesReport(
            name: "report-14",
            title: "the part of a category in the revenue of each month",
            fetch: { client in
                let lines = SalesLine.join(SalesProduct.self) { $0.product == $1.id }
                let rows = try client.blocking.fetch(
                    lines.grouped { line, _ in line.soldAt.month }
                        .select(
                            .sum { line, product in
                                (product.category == "category 3")
                                    .then(line.quantity * product.price, else: 0)
                            },
                            .sum { line, product in line.quantity * product.price }
                        )
                )
                return sum(rows) { row, answer in
                    answer.add(row.key)
                    answer.add(row.values.0)
                    answer.add(row.values.1)
                }
            },
            sql: """
                SELECT {month} AS month,
                SUM(CASE WHEN p.category = 'category 3' THEN l.quantity * p.price ELSE 0 END),
                SUM(l.quantity * p.price) FROM "SalesLine" l
                JOIN "SalesProduct" p ON l.product = p.id GROUP BY {month} ORDER BY 1
                """
        ),
        SalesReport(
            name: "report-18",
            title: "products that were sold in large numbers",
            fetch: { client in
                let rows = try client.blocking.fetch(
                    SalesLine.all.grouped(by: \.product).having { $0.sum(\.quantity) > 600 }
                        .sorted { $0.sum(\.quantity).descending }.limit(100)
                        .select(.sum(\.quantity), .countDistinct(\.customer))
                )
                return sum(rows) { row, answer in
                    answer.add(row.key)
                    answer.add(row.values.0)
                    answer.add(row.values.1)
                }
            },
            sql: """
                SELECT product, SUM(quantity) AS sold, COUNT(DISTINCT customer) FROM "SalesLine"
                GROUP BY product HAVING SUM(quantity) > 600 ORDER BY sold DESC, product LIMIT 100
                """
        ),
        SalesReport(
            name: "report-22",
            title: "customers of each country without a line",
            fetch: { client in
                let idle = SalesCustomer.where { customer in
                    !SalesLine.all.exists { $0.customer == customer.id }
                }
                let rows = try client.blocking.fetch(idle.grouped(by: \.country).select(.count))
                return sum(rows) { row, answer in
                    answer.add(row.key)
                    answer.add(row.values)
                }
            },
            sql: """
                SELECT country, COUNT(*) FROM "SalesCustomer" c WHERE NOT EXISTS
                (SELECT 1 FROM "SalesLine" l WHERE l.customer = c.id) GROUP BY country ORDER BY country
                """
        ),
    ]
}
