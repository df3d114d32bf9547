import DBClientCore

extension PairedFunction {
    /// One field of each value, in the request's order.
    static func selected<Value: StorableValue & OracleValue>(
        _ name: String,
        _ path: any KeyPath<Model, Value> & Sendable
    ) -> PairedFunction {
        PairedFunction(
            text: "select \(name)",
            run: { try $0.fetch($1.select(path)).map(\.shown).joined(separator: ", ") },
            compute: { $0.map { $0[keyPath: path].shown }.joined(separator: ", ") }
        )
    }

    /// The values of a field with the number of each, and those that occur more than once.
    static func grouped<Value: StorableValue & OracleValue>(
        _ name: String,
        _ path: any KeyPath<Model, Value> & Sendable
    ) -> PairedFunction {
        PairedFunction(
            text: "group by \(name)",
            run: { transaction, request in
                let groups = request.grouped(by: path)
                let all = try transaction.fetch(groups.select(.count))
                let some = try transaction.fetch(groups.having { $0.count > 1 }.select(.count))
                return all.map { "\($0.key.shown) \($0.values)" }.joined(separator: ", ")
                    + "; " + some.map { "\($0.key.shown)" }.joined(separator: ", ")
            },
            compute: { models in
                var groups: [(key: Value, count: Int)] = []
                for value in models.map({ $0[keyPath: path] }).sorted(by: {
                    Value.order($0, $1) < 0
                }) {
                    if let last = groups.last, Value.order(last.key, value) == 0 {
                        groups[groups.count - 1].count += 1
                    } else {
                        groups.append((value, 1))
                    }
                }
                return groups.map { "\($0.key.shown) \($0.count)" }.joined(separator: ", ")
                    + "; " + groups.filter { $0.count > 1 }.map(\.key.shown).joined(separator: ", ")
            }
        )
    }
}
