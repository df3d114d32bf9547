import DBClientCore

/// An assignment for the library, and the same as a change of a Swift value.
struct PairedAssignment<Model: Stored>: Sendable {
    let text: String
    let assign: @Sendable (inout Assignments<Model>) -> Void
    let change: @Sendable (inout Model) -> Void
}
