import DBClientCore

// Sets of the rows that selections give, against lists of tuples.
extension DifferentialStep {
    /// Draws a set of selections of two fields, from random requests.
    static func rowSet(_ random: RandomSource) -> DifferentialStep {
        let fields = Model.probes.compactMap(\.report)
        guard let first = random.pick(from: fields), let second = random.pick(from: fields) else {
            return count(random)
        }
        return rowSet(first, second, random)
    }

    private static func rowSet<First: ReportField<Model>, Second: ReportField<Model>>(
        _ first: First,
        _ second: Second,
        _ random: RandomSource
    ) -> DifferentialStep {
        let set = PairedRowSet.make(first, second, random, depth: 2)
        return DifferentialStep(
            text: "set of \(first.name) and \(second.name): \(set.text)",
            run: .read { transaction in
                try transaction.fetch(set.request).map { "\($0.0.shown) \($0.1.shown)" }
                    .joined(separator: ", ")
            },
            predict: { oracle in
                set.evaluate(oracle.models).map { "\($0.0.shown) \($0.1.shown)" }
                    .joined(separator: ", ")
            }
        )
    }
}

/// A selection of two fields, or what comes of two such for the library, and the same over Swift values.
private struct PairedRowSet<First: ReportField, Second: ReportField>: Sendable
where First.Model == Second.Model, First.Model: DifferentialModel {
    typealias Row = (First.Value, Second.Value)

    let text: String
    let request: SelectRequest<Row>
    let evaluate: @Sendable ([First.Model]) -> [Row]

    /// Draws a selection or a set of two.
    static func make(
        _ first: First,
        _ second: Second,
        _ random: RandomSource,
        depth: Int
    ) -> PairedRowSet {
        // The outermost is a set.
        guard depth == 2 || depth > 0 && random.chance(40) else {
            return select(first, second, random)
        }
        let left = make(first, second, random, depth: depth - 1)
        let right = make(first, second, random, depth: depth - 1)
        let operation = random.below(3)
        let name = ["union", "intersection", "subtracting"][operation]
        let request: SelectRequest<Row> =
            switch operation {
            case 0: left.request.union(right.request)
            case 1: left.request.intersection(right.request)
            default: left.request.subtracting(right.request)
            }
        return PairedRowSet(
            text: "\(name) (\(left.text)), (\(right.text))",
            request: request
        ) { models in
            let (first, second) = (left.evaluate(models), right.evaluate(models))
            let chosen: [Row] =
                switch operation {
                case 0: first + second
                case 1: first.filter { row in second.contains { areEqual(row, $0) } }
                default: first.filter { row in !second.contains { areEqual(row, $0) } }
                }
            var rows: [Row] = []
            for row in chosen where !rows.contains(where: { areEqual(row, $0) }) {
                rows.append(row)
            }
            return rows
        }
    }

    private static func areEqual(_ left: Row, _ right: Row) -> Bool {
        First.Value.order(left.0, right.0) == 0 && Second.Value.order(left.1, right.1) == 0
    }

    /// Draws the fields of a request's values, or the keys of their groups.
    private static func select(
        _ first: First,
        _ second: Second,
        _ random: RandomSource
    ) -> PairedRowSet {
        let request = PairedRequest<First.Model>(random)
        guard random.chance(30) else {
            return PairedRowSet(
                text: "select of \(request.text)",
                request: request.request.select(first.path, second.path)
            ) { models in
                request.evaluate(models).map { (first.value($0), second.value($0)) }
            }
        }
        return PairedRowSet(
            text: "groups of \(request.text)",
            request: request.request.asSource().grouped(by: first.path, second.path).keys
        ) { models in
            request.evaluate(models).map { (first.value($0), second.value($0)) }
                .inOrder { left, right in
                    let order = First.Value.order(left.0, right.0)
                    return order == 0 ? Second.Value.order(left.1, right.1) : order
                }
        }
    }
}
