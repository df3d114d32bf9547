import DBClientCore

/// A function over the values of a request for the library, and the same over Swift values.
///
/// The result is text.
struct PairedFunction<Model: Stored>: Sendable {
    let text: String
    let run: @Sendable (ReadTransaction, FetchRequest<Model>) throws -> String
    let compute: @Sendable ([Model]) throws -> String
}
