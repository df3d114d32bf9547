/// The rows that lead to a row or that one leads to, any number, which an aggregate is over.
struct HeldRows {
    /// The way to the rows, one hop or two by way of links.
    private let hops: [RelatedRows]
    /// The condition that the rows must fulfil.
    private let filter: RowCondition
    private let target: EntitySchema

    init(through hops: [RelatedRows], _ filter: RowCondition) {
        self.hops = hops
        self.filter = filter
        target = hops[hops.count - 1].entity
    }

    /// Returns the condition that a function over a field compares with a constant.
    ///
    /// The smallest and the largest value are compared by whether such rows exist, which an index finds.
    func condition(
        _ function: AggregateFunction,
        _ place: RowGrouping.Key,
        _ comparison: Comparison,
        _ value: StorageValue
    ) throws -> RowCondition {
        switch function {
        case .minimum, .maximum:
            let isMaximum = function == .maximum
            return end(
                place,
                comparison,
                value,
                beyond: isMaximum ? .greater : .less,
                atOrBeyond: isMaximum ? .greaterOrEqual : .lessOrEqual
            )
        case .sum, .average:
            if value.isNull, function == .sum { return .constant(comparison == .notEqual) }
            if value.isNull { return presence(of: place, comparison) }
            let isReal =
                function == .average || place.field(of: target).type.slotKind == .real
            var constant = value
            if isReal, case .integer(let integer) = value { constant = .real(Double(integer)) }
            let path = Array(hops.dropFirst())
            return rows(
                filter == .constant(true) ? filter : held(filter),
                RowTotal(
                    function,
                    place.column,
                    through: path + place.path,
                    comparison,
                    constant
                )
            )
        }
    }

    /// Returns the condition on the least or the greatest value: some row has it, and none lies beyond.
    private func end(
        _ place: RowGrouping.Key,
        _ comparison: Comparison,
        _ value: StorageValue,
        beyond: Comparison,
        atOrBeyond: Comparison
    ) -> RowCondition {
        if value.isNull { return presence(of: place, comparison) }
        func some(_ comparison: Comparison) -> RowCondition {
            any(.compare(column: place.column, comparison, value, .binary), at: place)
        }
        let isThere = any(.not(.isNil(column: place.column)), at: place)
        switch comparison {
        case .equal: return .all([some(.equal), .not(some(beyond))])
        case .notEqual: return .not(.all([some(.equal), .not(some(beyond))]))
        case beyond, atOrBeyond: return some(comparison)
        case .less, .greater: return .all([isThere, .not(some(atOrBeyond))])
        case .lessOrEqual, .greaterOrEqual: return .all([isThere, .not(some(beyond))])
        }
    }

    private func presence(
        of place: RowGrouping.Key,
        _ comparison: Comparison
    ) -> RowCondition {
        let isThere = any(.not(.isNil(column: place.column)), at: place)
        switch comparison {
        case .equal: return .not(isThere)
        case .notEqual: return isThere
        default: return .constant(false)
        }
    }

    private func any(_ condition: RowCondition, at place: RowGrouping.Key) -> RowCondition {
        rows(held(.conjunction(filter, condition.reached(through: place.path))), nil)
    }

    /// Returns what an engine computes for each row.
    func annotation(_ function: AggregateFunction, _ place: RowGrouping.Key) -> RowAnnotation {
        var rows = hops[0]
        rows.condition = filter == .constant(true) ? filter : held(filter)
        let key = RowGrouping.Key(place.column, through: Array(hops.dropFirst()) + place.path)
        return RowAnnotation(
            rows,
            key.isOwnField
                ? .function(function, column: key.column) : .heldFunction(function, key)
        )
    }

    /// Returns the condition of the rows of the first hop that lead to rows that fulfil one.
    private func held(_ condition: RowCondition) -> RowCondition {
        condition.held(through: hops.dropFirst())
    }

    private func rows(_ condition: RowCondition, _ total: RowTotal?) -> RowCondition {
        var hop = hops[0]
        hop.condition = condition
        hop.total = total
        return .related(hop)
    }
}

extension RowCondition {
    /// Returns the condition that some row at the end of hops fulfils this one.
    func held(through hops: some BidirectionalCollection<RelatedRows>) -> RowCondition {
        hops.reversed().reduce(self) { condition, hop in
            var hop = hop
            hop.condition = condition
            return .related(hop)
        }
    }
}

extension RowAnnotation {
    /// The number of the rows that hops lead to, once for each way, of those that fulfil a condition.
    init(through hops: [RelatedRows], _ condition: RowCondition) {
        var rows = hops[0]
        let isWhole = condition == .constant(true)
        rows.condition = isWhole ? condition : condition.held(through: hops.dropFirst())
        self.init(rows, .count)
    }
}

extension LinkSchema {
    /// Returns the hops from a row that has links to the rows that these lead to.
    func hops(to target: EntitySchema, from owner: EntitySchema) -> [RelatedRows] {
        [
            RelatedRows(entity, self.owner, matching: owner.primaryKey),
            RelatedRows(target, target.primaryKey, matching: self.target),
        ]
    }

    /// Returns the hops from a row to the rows that have links to it.
    func hops(from target: EntitySchema, to owner: EntitySchema) -> [RelatedRows] {
        [
            RelatedRows(entity, self.target, matching: target.primaryKey),
            RelatedRows(owner, owner.primaryKey, matching: self.owner),
        ]
    }
}
