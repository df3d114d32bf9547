import DBClientCore

extension SalesReport {
    /// Places and running sums of lines within their product, all of them and the first, which the library computes and a
    /// database by hand computes itself.
    static let windows: [SalesReport] = [
        windows("window-all", "places and running sums of all lines in their product", limit: nil),
        windows("window-first", "the same of the first hundred lines", limit: 100),
        SalesReport(
            name: "window-groups",
            title: "the ten best months of categories, with share and place",
            fetch: { client in
                let lines = SalesLine.join(SalesProduct.self) { $0.product == $1.id }
                let rows = try client.blocking.fetch(
                    lines.grouped { line, product in (line.soldAt.month, product.category) }
                        .sorted { $0.sum { line, _ in line.quantity }.descending }
                        .limit(10)
                        .select { group in
                            let sold = group.sum { line, _ in line.quantity }
                            let month = group.window(by: group.key(0))
                            return (
                                sold, group.window().sum(sold),
                                month.sorted(by: sold.descending).rank
                            )
                        }
                )
                return sum(rows) { row, answer in
                    answer.add(row.key.0)
                    answer.add(row.key.1)
                    answer.add(row.values.0)
                    answer.add(row.values.1)
                    answer.add(row.values.2)
                }
            },
            sql: """
                SELECT month, category, sold, SUM(sold) OVER () AS total,
                rank() OVER (PARTITION BY month ORDER BY sold DESC) AS place FROM
                (SELECT {month} AS month, p.category, SUM(l.quantity) AS sold FROM "SalesLine" l
                JOIN "SalesProduct" p ON l.product = p.id GROUP BY 1, 2) AS groups
                ORDER BY sold DESC, month, category LIMIT 10
                """
        ),
    ]

    private static func windows(_ name: String, _ title: String, limit: Int?) -> SalesReport {
        SalesReport(
            name: name,
            title: title,
            fetch: { client in
                let rows = try client.blocking.fetch(
                    SalesLine.all.limit(limit).select { line in
                        let product = Window(of: line, by: line.product)
                            .sorted(by: line.quantity.descending)
                        return (line.id, product.rank, product.sum(line.quantity))
                    }
                )
                return sum(rows) { row, answer in
                    answer.add(row.0)
                    answer.add(row.1)
                    answer.add(row.2)
                }
            },
            sql: """
                SELECT id, rank() OVER (PARTITION BY product ORDER BY quantity DESC),
                SUM(quantity) OVER
                (PARTITION BY product ORDER BY quantity DESC, id ROWS UNBOUNDED PRECEDING)
                FROM "SalesLine" ORDER BY id\(limit.map { " LIMIT \($0)" } ?? "")
                """
        )
    }
}
