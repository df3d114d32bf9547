import DBClientCore

/// A request for the library, and the same over Swift values.
struct PairedRequest<Model: DifferentialModel>: Sendable {
    let text: String
    let request: FetchRequest<Model>
    private let condition: PairedCondition<Model>?
    private let orderings: [PairedOrdering<Model>]
    private let after: Model?
    private let offset: Int
    private let limit: Int?
    private let combination: Combination?
    private let combined: [PairedRequest]

    /// How a request is made of two.
    private enum Combination: CaseIterable {
        case union
        case intersection
        case subtracting
        case source
    }

    /// Creates a request from random numbers.
    ///
    /// - Parameters:
    ///   - random: The source of the numbers.
    ///   - depth: How deep requests may be made of others.
    init(_ random: RandomSource, depth: Int = 2) {
        var words = ["all"]
        var request = Model.all
        combination = depth > 0 && random.chance(20) ? random.pick(from: Combination.allCases) : nil
        switch combination {
        case nil: combined = []
        case .source: combined = [Self(random, depth: depth - 1)]
        default: combined = [Self(random, depth: depth - 1), Self(random, depth: depth - 1)]
        }
        if let first = combined.first, let last = combined.last {
            switch combination {
            case .union: request = first.request.union(last.request)
            case .intersection: request = first.request.intersection(last.request)
            case .subtracting: request = first.request.subtracting(last.request)
            case .source, nil: request = first.request.asSource()
            }
            // The order of the first would count where this request has none.
            request = request.sorted(by: [])
            words = [
                combination.map { "\($0)" } ?? "",
                combined.map { "(\($0.text))" }.joined(separator: ", "),
            ]
        }
        condition = random.chance(75) ? Self.condition(random, depth: 3) : nil
        let orderings = random.list(upTo: 3) { Model.probes.makeOrdering($0) }.compactMap(\.self)
        self.orderings = orderings.upToKey()
        after = random.chance(15) ? Model.make(random).normalized : nil
        offset = random.chance(20) ? random.below(6) : 0
        limit = random.chance(30) ? random.below(8) : nil
        if let condition {
            request = request.filter(condition.condition)
            words.append("where \(condition.text)")
        }
        if !orderings.isEmpty {
            request = request.sorted(by: orderings.flatMap(\.orderings))
            words.append("by \(orderings.map(\.text).joined(separator: ", "))")
        }
        if let after {
            request = request.after(after)
            words.append("after \(after.shown)")
        }
        if offset > 0 {
            request = request.offset(offset)
            words.append("offset \(offset)")
        }
        if let limit {
            request = request.limit(limit)
            words.append("limit \(limit)")
        }
        self.request = request
        text = words.joined(separator: " ")
    }

    /// Whether a limit or an offset decides what the request finds, or one of which it is made.
    var hasPage: Bool { limit != nil || offset > 0 || combined.contains(where: \.hasPage) }

    /// Returns what the request finds among some values.
    func evaluate(_ models: [Model]) -> [Model] {
        let matching = given(models).filter { condition?.matches($0) ?? true }
            .sorted { order($0, $1) < 0 }
            .filter { model in after.map { order(model, $0) > 0 } ?? true }
        return Array(matching.dropFirst(offset).prefix(limit ?? .max))
    }

    /// Returns the values that the requests give of which this one is made.
    private func given(_ models: [Model]) -> [Model] {
        let parts = combined.map { $0.evaluate(models).map(\.primaryKey) }
        guard let first = parts.first, let last = parts.last else { return models }
        return models.filter { model in
            // Keys are compared as the store compares them, which is not how Swift compares text.
            let isFirst = first.contains { Model.orderKeys($0, model.primaryKey) == 0 }
            let isLast = last.contains { Model.orderKeys($0, model.primaryKey) == 0 }
            return switch combination {
            case .union: isFirst || isLast
            case .intersection: isFirst && isLast
            case .subtracting: isFirst && !isLast
            case .source, nil: isFirst
            }
        }
    }

    private func order(_ left: Model, _ right: Model) -> Int {
        for ordering in orderings {
            let order = ordering.order(left, right)
            if order != 0 { return order }
        }
        return Model.orderKeys(left.primaryKey, right.primaryKey)
    }

    private static func condition(_ random: RandomSource, depth: Int) -> PairedCondition<Model> {
        let kind = depth == 0 ? 0 : random.below(10)
        switch kind {
        case 6, 7:
            let (left, right) = (
                condition(random, depth: depth - 1), condition(random, depth: depth - 1)
            )
            return PairedCondition(
                "(\(left.text) && \(right.text))",
                { left.matches($0) && right.matches($0) },
                build: { _ in left.condition && right.condition }
            )
        case 8:
            let (left, right) = (
                condition(random, depth: depth - 1), condition(random, depth: depth - 1)
            )
            return PairedCondition(
                "(\(left.text) || \(right.text))",
                { left.matches($0) || right.matches($0) },
                build: { _ in left.condition || right.condition }
            )
        case 9:
            let operand = condition(random, depth: depth - 1)
            return PairedCondition(
                "!(\(operand.text))",
                { !operand.matches($0) },
                build: { _ in
                    !operand.condition
                }
            )
        default:
            return Model.probes.makeCondition(random)
        }
    }
}

extension Array {
    /// The sort up to where it has told any two keys apart: what comes after never matters, not even
    /// for the place of a value that differs from the stored one with its key.
    fileprivate func upToKey<Model: DifferentialModel>() -> Self
    where Element == PairedOrdering<Model> {
        var missing = Set(Model.probes.filter(\.isKey).map(\.name))
        let end = firstIndex { ordering in
            if let field = ordering.exactField { missing.remove(field) }
            return missing.isEmpty
        }
        return end.map { Array(self[...$0]) } ?? self
    }

    fileprivate func makeCondition<Model>(_ random: RandomSource) -> PairedCondition<Model>
    where Element == FieldProbe<Model> {
        let probe = random.pick(from: filter { !$0.conditions.isEmpty })
        guard let make = random.pick(from: probe?.conditions ?? []) else {
            return PairedCondition("true", { _ in true }, build: { _ in .constant(true) })
        }
        return make(random)
    }

    fileprivate func makeOrdering<Model>(_ random: RandomSource) -> PairedOrdering<Model>?
    where Element == FieldProbe<Model> {
        random.pick(from: compactMap(\.ordering))?(random)
    }
}
