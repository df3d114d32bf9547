public import Foundation

extension FetchRequest where Model: Stored {
    /// A request for the values that fulfil a predicate of Foundation's.
    ///
    /// - Throws: As `Condition.init(_:)`.
    public init(_ predicate: Predicate<Model>) throws {
        self = FetchRequest().filter(try Condition(predicate))
    }
}

extension FetchRequest {
    /// Returns a request for the values that also fulfil a predicate of Foundation's.
    ///
    /// - Throws: As `Condition.init(_:)`.
    public func filter(_ predicate: Predicate<Model.Storage>) throws -> Self {
        filter(try Condition(predicate))
    }
}

extension Condition {
    /// Creates the condition that a predicate of Foundation's says.
    ///
    /// ```swift
    /// let condition = try Condition(#Predicate<Character> { $0.name.starts(with: "Iron") })
    /// ```
    ///
    /// Translated are: comparison of a stored property, or of one inside an embedded struct, with a
    /// constant; `&&`, `||`, `!`; Boolean properties; `contains` of a list of constants, of a range,
    /// of a stored list and of text; `starts(with:)`; `isEmpty` of both; `== nil`, `?.`, `!`, `??`
    /// with a constant, `if let`. Constants may be captured, also through key paths.
    ///
    /// The meaning is the library's: text is compared by its bytes, an enum by its raw value, and a
    /// comparison with an absent value is false, also where `!` on nil would end the evaluation.
    ///
    /// - Throws: `DBClientError` with code `.unsupported`, naming the part, for what has no meaning in
    ///   a store; `.invalidRequest` for a property that is not stored; `.invalidValue` for a constant
    ///   that no engine can keep.
    public init(_ predicate: Predicate<Model>) throws where Model: Stored {
        self.init(try Self.row(of: predicate))
    }

    /// Creates the condition that a predicate of Foundation's over the model's storage says.
    ///
    /// - Throws: As for a predicate over a stored model.
    public init(_ predicate: Predicate<Model.Storage>) throws {
        self.init(try Self.row(of: predicate))
    }

    private static func row(of predicate: Predicate<Model.Storage>) throws -> RowCondition {
        let schema = Model.Storage.schema
        try schema.entity.validate()
        let context = PredicateContext(
            entity: schema.entity,
            model: predicate.variable.key,
            position: { schema.position(of: $0) }
        )
        return try context.condition(predicate.expression)
    }
}
