import DBClientCore

// Groups, joins and windows, against loops over arrays.
extension DifferentialStep {
    /// Draws groups, a join or windows over the probed fields of a random request.
    static func report(_ random: RandomSource) -> DifferentialStep {
        let request = PairedRequest<Model>(random)
        let fields = Model.probes.compactMap(\.report)
        guard let first = random.pick(from: fields), let second = random.pick(from: fields),
            let third = random.pick(from: fields)
        else { return count(random) }
        let report =
            switch random.below(5) {
            case 0: groups(first, second, random)
            case 1: totals(first, second, third, random)
            case 2: groupWindows(first, second, random)
            case 3: join(first, second, canBeLeft: !request.hasPage, random)
            default: windows(first, second, third, random)
            }
        return DifferentialStep(
            text: "\(report.text) of \(request.text)",
            run: .read { try report.run($0, request.request.asSource()) },
            predict: { try report.compute(request.evaluate($0.models)) }
        )
    }

    /// Which rows of a report are asked for.
    struct Page: Sendable {
        let offset: Int
        let limit: Int?

        init(_ random: RandomSource) {
            offset = random.chance(20) ? random.below(4) : 0
            limit = random.chance(30) ? random.below(6) : nil
        }

        var text: String { "offset \(offset) limit \(limit.map { "\($0)" } ?? "none")" }

        func of<Row>(_ rows: [Row]) -> [Row] {
            Array(rows.dropFirst(offset).prefix(limit ?? rows.count))
        }
    }

    /// Groups by a field, with functions over another, those of some size, by their size or their keys.
    private static func groups<Key: ReportField<Model>, Operand: ReportField<Model>>(
        _ key: Key,
        _ operand: Operand,
        _ random: RandomSource
    ) -> PairedFunction<Model> {
        let least = random.chance(40) ? random.below(3) : 0
        let sort = random.below(3)
        let page = Page(random)
        return PairedFunction(
            text:
                "group by \(key.name) over \(operand.name), over \(least), sort \(sort), \(page.text)",
            run: { transaction, request in
                var groups = request.grouped(by: key.path)
                if least > 0 { groups = groups.having { $0.count > least } }
                switch sort {
                case 1: groups = groups.sorted { $0.count.descending }
                case 2: groups = groups.sorted { _, keys in keys[0].descending }
                default: break
                }
                groups = groups.limit(page.limit).offset(page.offset)
                return try transaction.fetch(operand.functions(of: groups))
                    .map { "\($0.key.shown): \($0.values)" }.joined(separator: ", ")
            },
            compute: { models in
                var groups: [[Model]] = []
                for model in models.sorted(by: {
                    Key.Value.order(key.value($0), key.value($1)) < 0
                }) {
                    if let last = groups.last?.last, key.areEqual(last, model) {
                        groups[groups.count - 1].append(model)
                    } else {
                        groups.append([model])
                    }
                }
                groups.removeAll { $0.count <= least }
                // What overflows is an error of the call, also in a group that is not on the page.
                switch sort {
                case 1: groups = groups.inOrder { $1.count - $0.count }
                case 2: groups.reverse()
                default: break
                }
                let told = try page.of(groups).map {
                    "\(key.value($0[0]).shown): \(try operand.functions(of: $0))"
                }
                return told.joined(separator: ", ")
            }
        )
    }

    /// The values with those that are equal in a field, and less in another or sorted by it.
    private static func join<Key: ReportField<Model>, Other: ReportField<Model>>(
        _ key: Key,
        _ other: Other,
        canBeLeft: Bool,
        _ random: RandomSource
    ) -> PairedFunction<Model> {
        // What a limit leaves is told by other rows, which a left join refuses.
        let isLeft = random.chance(50) && canBeLeft
        let isLess = random.chance(40) && !isLeft
        let sort = random.below(3)
        let page = Page(random)
        return PairedFunction(
            text: "\(isLeft ? "left join" : "join") by \(key.name)\(isLess ? " less" : "")"
                + " with \(other.name), sort \(sort), \(page.text)",
            run: { transaction, request in
                if isLeft {
                    var rows = request.leftJoin(request.sorted(by: [])) { left, right in
                        left[dynamicMember: key.path] == right[dynamicMember: key.path]
                    }
                    rows =
                        switch sort {
                        case 1: rows.sorted { _, right in right[dynamicMember: other.path] }
                        case 2:
                            rows.sorted { left, _ in left[dynamicMember: other.path].descending }
                        default: rows.sorted { _, _ in [] }
                        }
                    let count = try transaction.count(rows)
                    let found = try transaction.fetch(rows.limit(page.limit).offset(page.offset))
                    return "\(count): "
                        + found.map { "\($0.0.shown)+\($0.1?.shown ?? "nil")" }
                        .joined(separator: ", ")
                }
                var rows = request.join(request.sorted(by: [])) { left, right in
                    let areEqual = left[dynamicMember: key.path] == right[dynamicMember: key.path]
                    let less = other.isLess(
                        left[dynamicMember: other.path],
                        right[dynamicMember: other.path]
                    )
                    guard isLess, let less else { return areEqual }
                    return areEqual && less
                }
                rows =
                    switch sort {
                    case 1: rows.sorted { _, right in right[dynamicMember: other.path] }
                    case 2: rows.sorted { left, _ in left[dynamicMember: other.path].descending }
                    default: rows.sorted { _, _ in [] }
                    }
                let count = try transaction.count(rows)
                let found = try transaction.fetch(rows.limit(page.limit).offset(page.offset))
                return "\(count): "
                    + found.map { "\($0.0.shown)+\($0.1.shown)" }.joined(separator: ", ")
            },
            compute: { models in
                let sorted = models.inOrder { Model.orderKeys($0.primaryKey, $1.primaryKey) }
                var rows: [(Model, Model?)] = []
                for left in sorted {
                    let own = sorted.filter { right in
                        key.areEqual(left, right) && (!isLess || other.mayBeLess(left, right))
                    }
                    for right in own { rows.append((left, right)) }
                    if own.isEmpty, isLeft { rows.append((left, nil)) }
                }
                switch sort {
                case 1:
                    rows = rows.inOrder {
                        Other.Value?.order($0.1.map(other.value), $1.1.map(other.value))
                    }
                case 2:
                    rows = rows.inOrder { Other.Value.order(other.value($1.0), other.value($0.0)) }
                default: break
                }
                return "\(rows.count): "
                    + page.of(rows).map { "\($0.0.shown)+\($0.1?.shown ?? "nil")" }
                    .joined(separator: ", ")
            }
        )
    }

    /// What rows get from those that are equal in a field, sorted by another.
    private static func windows<
        Partition: ReportField<Model>,
        Sort: ReportField<Model>,
        Operand: ReportField<Model>
    >(
        _ partition: Partition,
        _ sort: Sort,
        _ operand: Operand,
        _ random: RandomSource
    ) -> PairedFunction<Model> {
        let isDescending = random.chance(50)
        let page = Page(random)
        let window: @Sendable (Fields<Model>) -> Window<Model> = { fields in
            let field = fields[dynamicMember: sort.path]
            return Window(of: fields, by: fields[dynamicMember: partition.path])
                .sorted(by: isDescending ? field.descending : field)
        }
        return PairedFunction(
            text: "windows by \(partition.name) sorted by \(sort.name)"
                + "\(isDescending ? " descending" : "") over \(operand.name), \(page.text)",
            run: { transaction, request in
                let request = request.limit(page.limit).offset(page.offset)
                let places = request.select { fields in
                    let window = window(fields)
                    return (window.rowNumber, window.rank, window.denseRank, window.count)
                }
                let told = try transaction.fetch(places)
                    .map { "\($0.0) \($0.1) \($0.2) \($0.3)" }
                guard let over = operand.windowed(request, window) else {
                    return told.joined(separator: ", ")
                }
                return zip(told, try transaction.fetch(over)).map { "\($0): \($1)" }
                    .joined(separator: ", ")
            },
            compute: { models in
                let hasFunctions = operand.windowed(Model.all, window) != nil
                let told = models.indices.map { index in
                    let rows = models.indices
                        .filter { partition.areEqual(models[index], models[$0]) }
                        .inOrder { left, right in
                            let order = Sort.Value.order(
                                sort.value(models[left]),
                                sort.value(models[right])
                            )
                            return isDescending ? -order : order
                        }
                    let position = rows.firstIndex(of: index) ?? 0
                    var rank = 1
                    var denseRank = 1
                    for place in rows.indices.dropFirst().prefix(position)
                    where !sort.areEqual(models[rows[place - 1]], models[rows[place]]) {
                        rank = place + 1
                        denseRank += 1
                    }
                    let place = "\(position + 1) \(rank) \(denseRank) \(position + 1)"
                    guard hasFunctions else { return place }
                    return "\(place): \(operand.windowed(rows.map { models[$0] }, at: position))"
                }
                return page.of(told).joined(separator: ", ")
            }
        )
    }
}

extension ReportField {
    /// Whether one value is there and less than another, where the library compares the field's order; else true.
    fileprivate func mayBeLess(_ left: Model, _ right: Model) -> Bool {
        guard hasOrder else { return true }
        let (left, right) = (value(left), value(right))
        return !left.isAbsent && !right.isAbsent && Value.order(left, right) < 0
    }

    private var hasOrder: Bool { !(self is PlainReportField<Model, Value>) }
}

extension Array {
    /// Returns the elements in an order, those that are alike as they were.
    func inOrder(_ order: (Element, Element) -> Int) -> [Element] {
        enumerated().sorted {
            let found = order($0.element, $1.element)
            return found == 0 ? $0.offset < $1.offset : found < 0
        }
        .map(\.element)
    }
}
