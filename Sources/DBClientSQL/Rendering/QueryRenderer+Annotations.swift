import DBClientCore

// What is computed of the rows that belong to one: a subquery for each, of one value.
extension QueryRenderer {
    mutating func beginAnnotation(_ annotation: RowAnnotation) -> Outer {
        let outer = Outer(scope: scope, depth: depth, alias: nextAlias())
        let rows = annotation.rows
        let inner = Scope(table: table(of: rows.entity), name: outer.alias)
        text.append("(SELECT ")
        if let operand = annotation.term.operand {
            appendFunction(of: annotation)
            // The function may name its operand several times.
            text.append(" FROM (SELECT ")
            let hops = hops(of: operand.path)
            Self.append(operand.column, through: hops[...], from: inner, to: &text)
            text.append(" AS \"v\"")
        } else {
            text.append("COUNT(*)")
        }
        text.append(" FROM ")
        text.append(table: inner.table.name)
        text.append(" AS ")
        text.append(identifier: inner.name)
        scope = inner
        depth += annotation.term.operand == nil ? 1 : 2
        appendWhere(rows, inner, belongingTo: outer.scope)
        return outer
    }

    mutating func endAnnotation(_ annotation: RowAnnotation, _ outer: Outer) {
        scope = outer.scope
        depth = outer.depth
        if annotation.term.operand != nil {
            text.append(traits.fence)
            text.append(") AS \"rows\"")
        }
        text.append(")")
    }

    /// Appends the function over the values of the rows.
    private mutating func appendFunction(of annotation: RowAnnotation) {
        guard let function = annotation.term.function, let operand = annotation.term.operand else {
            return
        }
        let entity = annotation.rows.entity
        let value: (inout SQLText) -> Void = { $0.append("\"v\"") }
        let sumsAreChecked = traits.integerOverflow != nil
        if let type = annotation.term.exactSumType(of: entity, besidesIntegers: sumsAreChecked) {
            text.append(.exactSum(type), of: value)
        } else {
            append(function, of: value, operand.field(of: entity).type)
        }
    }
}
