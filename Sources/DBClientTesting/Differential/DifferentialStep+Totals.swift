import DBClientCore

// Totals beside groups, and what groups get from one another, against loops over arrays.
extension DifferentialStep {
    /// Groups by two fields with the totals beside them.
    static func totals<
        First: ReportField<Model>,
        Second: ReportField<Model>,
        Operand: ReportField<Model>
    >(
        _ first: First,
        _ second: Second,
        _ operand: Operand,
        _ random: RandomSource
    ) -> PairedFunction<Model> {
        let least = random.chance(40) ? random.below(3) : 0
        return PairedFunction(
            text: "rollup by \(first.name) and \(second.name) over \(operand.name), over \(least)",
            run: { transaction, request in
                var groups = request.grouped(by: first.path, second.path)
                if least > 0 { groups = groups.having { $0.count > least } }
                let rows = try transaction.fetch(operand.totals(of: groups.rollup))
                return rows.map { row in
                    let keys = [
                        row.key.0.map { $0.shown } ?? "all", row.key.1.map { $0.shown } ?? "all",
                    ]
                    return "\(keys.joined(separator: "/")): \(row.values)"
                }
                .joined(separator: ", ")
            },
            compute: { models in
                var told: [String] = []
                func tell(_ keys: String, _ group: [Model]) throws {
                    guard group.count > least else { return }
                    told.append("\(keys): \(try operand.totals(of: group))")
                }
                for outer in first.groups(of: models) {
                    let key = first.value(outer[0]).shown
                    for inner in second.groups(of: outer) {
                        try tell("\(key)/\(second.value(inner[0]).shown)", inner)
                    }
                    try tell("\(key)/all", outer)
                }
                if !models.isEmpty { try tell("all/all", models) }
                return told.joined(separator: ", ")
            }
        )
    }

    /// Groups with their places by size, and what they get from the groups before and after them.
    static func groupWindows<Key: ReportField<Model>, Operand: ReportField<Model>>(
        _ key: Key,
        _ operand: Operand,
        _ random: RandomSource
    ) -> PairedFunction<Model> {
        let least = random.chance(40) ? random.below(3) : 0
        let isSorted = random.chance(50)
        let page = Page(random)
        return PairedFunction(
            text: "windows of groups by \(key.name) over \(operand.name), over \(least)"
                + "\(isSorted ? ", sorted" : ""), \(page.text)",
            run: { transaction, request in
                var groups = request.grouped(by: key.path)
                if least > 0 { groups = groups.having { $0.count > least } }
                if isSorted { groups = groups.sorted { _, keys in keys[0].descending } }
                let request = groups.limit(page.limit).offset(page.offset).select { group in
                    let different = group.countDistinct(operand.path)
                    let places = group.window().sorted(by: group.count.descending)
                    let alike = group.window(by: different)
                    return (
                        group.count, places.rank, places.denseRank, places.sum(group.count),
                        places.lag(different), alike.rowNumber, alike.count,
                        alike.share(of: group.count)
                    )
                }
                return try transaction.fetch(request).map { row in
                    let values = row.values
                    let share = values.7.map { "\($0)" } ?? "nil"
                    return "\(row.key.shown): \(values.0) \(values.1) \(values.2) \(values.3)"
                        + " \(values.4.shown) \(values.5) \(values.6) \(share)"
                }
                .joined(separator: ", ")
            },
            compute: { models in
                var groups = key.groups(of: models).filter { $0.count > least }
                if isSorted { groups.reverse() }
                let different = groups.map { operand.distinctCount(of: $0) }
                let places = groups.indices.map { $0 }
                    .inOrder { groups[$1].count - groups[$0].count }
                let told = groups.indices.map { index in
                    let place = places.firstIndex(of: index) ?? 0
                    let larger = groups.filter { $0.count > groups[index].count }
                    let sizes = Set(larger.map(\.count)).count
                    let sum = places[...place].reduce(0) { $0 + groups[$1].count }
                    let before: Int? = place > 0 ? different[places[place - 1]] : nil
                    let alike = groups.indices.filter { different[$0] == different[index] }
                    let all = alike.reduce(0) { $0 + groups[$1].count }
                    let number = (alike.firstIndex(of: index) ?? 0) + 1
                    return "\(key.value(groups[index][0]).shown): \(groups[index].count)"
                        + " \(larger.count + 1) \(sizes + 1) \(sum) \(before.shown) \(number)"
                        + " \(alike.count) \(Double(groups[index].count) / Double(all))"
                }
                return page.of(told).joined(separator: ", ")
            }
        )
    }
}

extension ReportField {
    /// The values put together by the field, in its order.
    fileprivate func groups(of models: [Model]) -> [[Model]] {
        var groups: [[Model]] = []
        for model in models.inOrder({ Value.order(value($0), value($1)) }) {
            if let last = groups.last?.last, areEqual(last, model) {
                groups[groups.count - 1].append(model)
            } else {
                groups.append([model])
            }
        }
        return groups
    }
}
