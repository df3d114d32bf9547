import Foundation

extension PredicateExpressions.Value: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        .constant(value)
    }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        .constant(nil)
    }
}

/// A negative literal, which a `#Predicate` has as the negation of a positive one.
extension PredicateExpressions.UnaryMinus: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        guard case .constant(let value as Wrapped.Output) = try context.operand(wrapped),
            (value as? any FixedWidthInteger).map({ hasNegative($0) }) ?? true
        else { throw context.unsupported("“unary minus” on anything but a constant") }
        return .constant(-value)
    }

    /// Whether the type has the number with the other sign.
    private func hasNegative<Number: FixedWidthInteger>(_ number: Number) -> Bool {
        number != .min
    }
}

extension PredicateExpressions.Variable: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        if key == context.model { return .model }
        guard let operand = context.bindings[key] else {
            throw context.unsupported("a variable of another predicate")
        }
        return operand
    }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        let owner = try context.operand(root)
        switch owner {
        case .model:
            guard let column = context.position(keyPath) else { throw notStored(in: context) }
            let relationship = context.entity.relationships.first {
                $0.link == nil && $0.columns.first == column
            }
            return .field(
                PredicateField(column: column, type: Output.self, absence: relationship?.absence)
            )
        case .field(let field):
            if keyPath as AnyKeyPath == \String.isEmpty {
                return .condition(try context.compare(owner, .equal, .constant("")))
            }
            if let list = Root.Output.self as? any ListValue.Type, keyPath == list.emptiness {
                let empty = StorageValue.text(list.emptyForm)
                return .condition(.comparing(column: field.column, .equal, empty))
            }
            if let list = Root.Output.self as? any ListValue.Type, keyPath == list.elementCount {
                return .count(field, default: nil)
            }
            if Root.Output.self is any Stored.Type { throw beyondRelationship(in: context) }
            guard let embedded = Root.Output.self as? any EmbeddedValue.Type,
                let offset = embedded.position(of: keyPath)
            else { throw notStored(in: context) }
            return .field(
                PredicateField(
                    column: field.column + offset,
                    type: Output.self,
                    demand: field.demand
                )
            )
        case .constant(let value as Root.Output): return .constant(value[keyPath: keyPath])
        default: throw notStored(in: context)
        }
    }

    private func beyondRelationship(in context: PredicateContext) -> DBClientError {
        DBClientError(
            .unsupported,
            "A predicate must not use fields of related values.",
            entity: context.entity.name,
            hint: "Use the model's own conditions: `where { $0.publisher.name == \"Marvel\" }`."
        )
    }

    private func notStored(in context: PredicateContext) -> DBClientError {
        // Of a text or a list, which is stored, it is the question that is not answered.
        let isOfText = Root.Output.self is any Collection.Type
        let property = (keyPath as AnyKeyPath).named
        return DBClientError(
            .invalidRequest,
            isOfText
                ? "A condition must not use the \(property) of a text or a list."
                : "The \(property) is not stored.",
            entity: context.entity.name,
            hint: isOfText
                ? "Use `isEmpty`, `contains`, `starts(with:)`, or the `count` of a list, or compare the value."
                : "Use a stored property."
        )
    }
}

extension EmbeddedValue {
    static func position(of keyPath: AnyKeyPath) -> Int? {
        schema.position(of: keyPath)
    }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        switch try context.operand(inner) {
        case .field(let field): .field(field.forced)
        case .condition(let condition, let isPresent):
            .condition(.conjunction(isPresent, condition))
        case .constant(let value) where flattened(value) != nil: .constant(value)
        default: throw context.unsupported("“!” on anything but a field")
        }
    }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        switch (try context.operand(lhs), try context.operand(rhs)) {
        case (.field(let field), .constant(let value)):
            guard let value = flattened(value) else { return .field(field) }
            return .coalesced(field, default: value)
        case (.count(let field, default: nil), .constant(let value)):
            return .count(field, default: flattened(value) as? Int)
        case (.condition(let condition, let isPresent), _):
            return .condition(
                .disjunction(
                    .conjunction(isPresent, condition),
                    .conjunction(.not(isPresent), try context.condition(rhs))
                )
            )
        case (.constant(let value), let other):
            return flattened(value) == nil ? other : .constant(value)
        default: throw context.unsupported("“??” with anything but a field and a constant")
        }
    }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
    func operand(in context: PredicateContext) throws -> PredicateOperand {
        let isPresent: RowCondition
        let owner: PredicateField
        switch try context.operand(wrapped) {
        case .field(let field):
            owner = field
            isPresent = field.isPresent
        case .constant(let value):
            guard let value = flattened(value) else { return .constant(nil) }
            var inner = context
            inner.bindings[variable.key] = .constant(value)
            return try inner.operand(transform)
        default: throw context.unsupported("“flatMap” on anything but a field")
        }
        var inner = context
        inner.bindings[variable.key] = .field(owner.unwrapped)
        switch try inner.operand(transform) {
        case .condition(let condition, let isTransformPresent):
            return .condition(condition, isPresent: .conjunction(isPresent, isTransformPresent))
        case .field(let field) where owner.contains(field): return .field(field)
        case .count(let field, let number) where owner.contains(field):
            return .count(field, default: number)
        default: throw context.unsupported("“flatMap” to anything but a part of the field")
        }
    }
}
