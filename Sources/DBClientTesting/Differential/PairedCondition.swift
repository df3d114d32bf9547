import DBClientCore

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
