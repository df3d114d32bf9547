/// A client that checks values before they are stored.
///
/// ```swift
/// let client = ValidatingDBClient(store, rules: [
///     .rule(Character.self) { hero in
///         guard !hero.name.isEmpty else { throw HeroError.nameless }
///     }
/// ])
/// ```
///
/// What a rule throws comes through, and undoes the call. A partial update is checked as the whole
/// value that it makes. Values that are saved with their owners are checked like those that a call is
/// given. A model that converts is checked as what its stored form converts to. Rows cannot be written
/// without a model (by stored names, in SQL), because no rule would see them: that throws `.readOnly`.
public final class ValidatingDBClient: DBClientDecorator {
    /// A condition that every value of one model must fulfil.
    public struct Rule: Sendable {
        /// Checks values of a stored shape, if it is that of the model.
        fileprivate let check: @Sendable (any ShapedValues, ReadTransaction) throws -> Void

        /// Returns the rule that a function decides, which throws for a value that is refused.
        public static func rule<Model: StoredConvertible>(
            _ type: Model.Type,
            _ check: @escaping @Sendable (Model) throws -> Void
        ) -> Rule {
            Rule { values, transaction in
                let mapping = Model.mapping(in: transaction)
                for model in try values.models(mapping, in: transaction) { try check(model) }
            }
        }
    }

    /// The client that stores what fulfils the rules.
    public let base: any DBClient
    private let validation: Validation

    /// Creates a client that checks what another stores.
    public init(_ base: any DBClient, rules: [Rule]) {
        self.base = base
        validation = Validation(rules: rules)
    }

    /// Returns the rules as an interceptor for writes, and nil for reads.
    public func interceptor(isWrite: Bool) -> (any TransactionInterceptor & Sendable)? {
        isWrite ? validation : nil
    }

    /// Yes: whatever is written is checked in the call that writes it.
    public var forwardsSingleCalls: Bool { true }

    private struct Validation: TransactionInterceptor, Sendable {
        let rules: [Rule]

        var checksValues: Bool { true }

        func check<Model: Stored>(
            _ values: [Model],
            in transaction: ReadTransaction
        ) throws {
            for rule in rules { try rule.check(Shaped(values: values), transaction) }
        }
    }
}

/// Values of a stored shape that is not named.
private protocol ShapedValues {
    /// Returns the values as those of a model; none when they are not of its shape.
    func models<Mapping: ModelMapping>(
        _ mapping: Mapping,
        in transaction: ReadTransaction
    ) throws -> [Mapping.Model]
}

private struct Shaped<Shape: Stored>: ShapedValues {
    let values: [Shape]

    func models<Mapping: ModelMapping>(
        _ mapping: Mapping,
        in transaction: ReadTransaction
    ) throws -> [Mapping.Model] {
        guard let shapes = values as? [Mapping.Shape] else { return [] }
        return try mapping.models(shapes, in: transaction)
    }
}
