import DBClientCore

// The one walk over a statement.
extension StatementSink {
    /// Writes the statement of a verb over a query.
    mutating func write(
        _ verb: QueryVerb,
        _ query: RowQuery,
        setting assignments: RowAssignments? = nil
    ) throws {
        try begin(verb, query, assignments)
        if let join = query.join { try write(join) }
        if let walk = query.walk { try write(walk) }
        if verb.canJoin {
            try writeSource(query.condition, depth: 0)
        } else {
            try writeWhere(query.condition, isWhole: true)
        }
        if verb.isOrdered(of: query) { try order(by: query) }
        if let count = query.limit { limit(to: count) }
        if query.offset > 0 { offset(by: query.offset, isLimited: query.limit != nil) }
        end(verb, query)
        guard case .group(let rendered) = verb else { return }
        beginGroups(rendered)
        if rendered.isFiltered { try writeHaving(rendered.grouping.condition) }
        endGroups(rendered)
    }

    /// Writes how rows are put together.
    private mutating func write(_ join: RowJoin) throws {
        for part in join.parts.dropFirst() {
            beginPart(part)
            try write(part.condition)
        }
        endParts(of: join)
    }

    /// Writes the recursive part by which the rows of a walk are reached.
    private mutating func write(_ walk: RowWalk) throws {
        try writeWhere(walk.start, isWhole: false)
        beginSteps(of: walk)
        if !walk.passing.isTrue { try write(walk.passing) }
        endWalk(walk)
    }

    /// Writes what is joined to a table, as far as a condition asks for it, then what its rows must fulfil.
    private mutating func writeSource(_ condition: RowCondition, depth: Int) throws {
        if let rows = JoinedCondition.onlyJoin(
            condition,
            depth: depth,
            isCheap: joinsRelatedRows
        ) {
            try writeJoin(rows, depth: depth)
            return try writeWhere(.constant(true), isWhole: depth == 0)
        }
        let parts = JoinedCondition(condition, depth: depth, isCheap: joinsRelatedRows)
        for rows in parts.joins { try writeJoin(rows, depth: depth) }
        try writeWhere(parts.rest, isWhole: depth == 0)
    }

    private mutating func writeJoin(_ rows: RelatedRows, depth: Int) throws {
        let outer = beginJoin(rows)
        nest()
        try writeSource(rows.condition, depth: depth + 1)
        unnest()
        endJoin(rows, outer)
    }

    private mutating func writeWhere(_ condition: RowCondition, isWhole: Bool) throws {
        let isTrue = condition.isTrue
        beginWhere(isTrue: isTrue, isWhole: isWhole)
        if isTrue { everyRow() } else { try write(condition) }
        endWhere(isTrue: isTrue, isWhole: isWhole)
    }

    mutating func write(_ condition: RowCondition) throws {
        nest()
        defer { unnest() }
        switch condition {
        case .constant(let value): constant(value)
        case .compare(let column, let comparison, let value, let order):
            self.comparison(column, comparison, value, order)
        case .compareFields(let column, let comparison, let other):
            fields(column, comparison, other)
        case .computed(let left, let comparison, let right):
            try write(left, comparison, right)
        case .guarded(let guarding, let guarded):
            try write(guarded, guardedBy: guarding)
        case .isNil(let column): absence(of: column, isNegated: false)
        case .not(.isNil(let column)): absence(of: column, isNegated: true)
        // No database is asked to look among no values.
        case .field(_, .isIn(let values)) where values.isEmpty: constant(false)
        case .field(let column, let test): form(try dialect.form(of: test), of: column)
        case .areIn(_, let keys) where keys.isEmpty: constant(false)
        case .areIn(let columns, let keys):
            self.keys(try dialect.form(ofKeys: keys), of: columns)
        case .related(let rows): try write(rows)
        case .not(.related(let rows)) where negatesByExistence && rows.isMembership:
            try write(rows, isNegated: true)
        case .not(let operand):
            beginNot()
            try write(operand)
            endNot()
        case .all(let operands): try write(operands, .and) { try $0.write($1) }
        case .any(let operands): try write(operands, .or) { try $0.write($1) }
        }
    }

    private mutating func write(_ rows: RelatedRows, isNegated: Bool = false) throws {
        let outer = beginRelated(rows, isNegated: isNegated)
        if rows.condition.isTrue { everyRow() } else { try write(rows.condition) }
        if let slice = rows.slice {
            try order(by: rows.query)
            if let count = slice.limit { limit(to: count) }
            if slice.offset > 0 { offset(by: slice.offset, isLimited: slice.limit != nil) }
        }
        endRelated(rows, outer)
        // What they come to is compared behind the subquery.
        if let total = rows.total {
            self.total(total, of: rows.entity, total.constants(of: rows.entity, integerSum))
        }
        if let count = rows.count { self.count(count) }
    }

    /// Writes what related rows come to.
    mutating func write(_ annotation: RowAnnotation) throws {
        let outer = beginAnnotation(annotation)
        let condition = annotation.rows.condition
        if condition.isTrue { everyRow() } else { try write(condition) }
        endAnnotation(annotation, outer)
    }

    private mutating func writeHaving(_ condition: RowGroupCondition) throws {
        if case .constant(true) = condition { return everyRow() }
        beginHaving()
        try write(condition)
    }

    private mutating func write(_ condition: RowGroupCondition) throws {
        switch condition {
        case .constant(let value): constant(value)
        case .compare(let term, let comparison, let value):
            self.comparison(term, comparison, value)
        case .isNil(let term): absence(of: term)
        case .not(let operand):
            beginNot()
            try write(operand)
            endNot()
        case .all(let operands): try write(operands, .and) { try $0.write($1) }
        case .any(let operands): try write(operands, .or) { try $0.write($1) }
        }
    }

    private mutating func write<Operand>(
        _ operands: [Operand],
        _ conjunction: Conjunction,
        _ writeOne: (inout Self, Operand) throws -> Void
    ) rethrows {
        beginList(conjunction, of: operands.count)
        if !operands.isEmpty { try write(operands[...], conjunction, writeOne) }
    }

    /// Writes operands as a balanced tree, since a parser nests a flat chain as deep as it is long.
    private mutating func write<Operand>(
        _ operands: ArraySlice<Operand>,
        _ conjunction: Conjunction,
        _ writeOne: (inout Self, Operand) throws -> Void
    ) rethrows {
        openParenthesis()
        if operands.count > 32 {
            let middle = operands.startIndex + operands.count / 2
            try write(operands[..<middle], conjunction, writeOne)
            separate(conjunction)
            try write(operands[middle...], conjunction, writeOne)
        } else {
            for index in operands.indices {
                if index > operands.startIndex { separate(conjunction) }
                try writeOne(&self, operands[index])
            }
        }
        closeParenthesis()
    }
}

extension RelatedRows {
    /// Whether the rows must be there, whatever they come to.
    fileprivate var isMembership: Bool { count == nil && total == nil && slice == nil }
}

extension RowCondition {
    /// Whether the condition is true of every row, so that it need not be written.
    var isTrue: Bool {
        if case .constant(true) = self { true } else { false }
    }
}
