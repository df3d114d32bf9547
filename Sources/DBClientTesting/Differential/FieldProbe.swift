import DBClientCore

/// One field of a model, as the differential test uses it: everything comes in pairs, for the library
/// and for the oracle.
struct FieldProbe<Model: Stored>: Sendable {
    let name: String
    /// Whether the field belongs to the primary key.
    var isKey = false
    /// The field of a value as text.
    let show: @Sendable (Model) -> String
    /// Gives the field of a new value something.
    var fill: (@Sendable (inout Model, RandomSource) -> Void)?
    /// Conditions on the field alone.
    var conditions: [@Sendable (RandomSource) -> PairedCondition<Model>] = []
    var ordering: (@Sendable (RandomSource) -> PairedOrdering<Model>)?
    var assignment: (@Sendable (RandomSource) -> PairedAssignment<Model>)?
    var functions: [PairedFunction<Model>] = []
}

/// A condition for the library, and the same as a function of Swift values.
struct PairedCondition<Model: Stored>: Sendable {
    let text: String
    let condition: Condition<Model>
    let matches: @Sendable (Model) -> Bool

    init(
        _ text: String,
        _ matches: @escaping @Sendable (Model) -> Bool,
        build: (Fields<Model>) -> Condition<Model>
    ) {
        self.text = text
        self.condition = Model.condition(build)
        self.matches = matches
    }
}

/// A sort key for the library, and the same as a comparison of Swift values.
struct PairedOrdering<Model: Stored>: Sendable {
    let text: String
    /// One, or none when there is no such field.
    let orderings: [Ordering<Model>]
    /// The field whose values the key tells apart; nil when it ignores case.
    let exactField: String?
    let order: @Sendable (Model, Model) -> Int
}

/// An assignment for the library, and the same as a change of a Swift value.
struct PairedAssignment<Model: Stored>: Sendable {
    let text: String
    let assign: @Sendable (inout Assignments<Model>) -> Void
    let change: @Sendable (inout Model) -> Void
}

/// A function over the values of a request for the library, and the same over Swift values.
///
/// The result is text.
struct PairedFunction<Model: Stored>: Sendable {
    let text: String
    let run: @Sendable (ReadTransaction, FetchRequest<Model>) throws -> String
    let compute: @Sendable ([Model]) throws -> String
}

/// How a field is reached, and how a value for it is made up.
struct FieldAccess<Model: Stored, Value: OracleValue>: Sendable {
    let name: String
    let field: @Sendable (Fields<Model>) -> Field<Model, Value>
    let get: @Sendable (Model) -> Value
    let make: @Sendable (RandomSource) -> Value
}

/// What the oracle throws where the library is expected to.
struct OracleError: Error {
    let code: DBClientError.Code

    init(_ code: DBClientError.Code) {
        self.code = code
    }
}
