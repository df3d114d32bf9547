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
/// value that it makes. A rule sees the values that a call is given, not those that are saved with their
/// owners. Rows cannot be written without a model (by stored names, in SQL), because no
/// rule would see them: that throws `.readOnly`.
public final class ValidatingDBClient: DBClientDecorator {
    /// What the values of one model must fulfil.
    public struct Rule: Sendable {
        let model: ObjectIdentifier
        let check: @Sendable (any Stored) throws -> Void

        /// Returns the rule that a function decides, which throws for a value that is refused.
        public static func rule<Model: Stored>(
            _ type: Model.Type,
            _ check: @escaping @Sendable (Model) throws -> Void
        ) -> Rule {
            Rule(model: ObjectIdentifier(type)) { value in
                if let value = value as? Model { try check(value) }
            }
        }
    }

    /// The client that stores what fulfils the rules.
    public let base: any DBClient
    private let validation: Validation

    /// Creates a client that checks what another stores.
    public init(_ base: any DBClient, rules: [Rule]) {
        self.base = base
        validation = Validation(rules: Dictionary(grouping: rules, by: \.model))
    }

    /// Checks what is written.
    public func interceptor(isWrite: Bool) -> (any TransactionInterceptor & Sendable)? {
        isWrite ? validation : nil
    }

    private struct Validation: TransactionInterceptor, Sendable {
        let rules: [ObjectIdentifier: [Rule]]

        var checksValues: Bool { true }

        func check<Model: Stored>(_ values: [Model]) throws {
            guard let rules = rules[ObjectIdentifier(Model.self)] else { return }
            for value in values {
                for rule in rules { try rule.check(value) }
            }
        }
    }
}
