import DBClientCore

/// A sort key for the library, and the same as a comparison of Swift values.
struct PairedOrdering<Model: Stored>: Sendable {
    let text: String
    /// One, or none when there is no such field.
    let orderings: [Ordering<Model>]
    /// The field whose values the key tells apart; nil when it ignores case.
    let exactField: String?
    let order: @Sendable (Model, Model) -> Int
}
