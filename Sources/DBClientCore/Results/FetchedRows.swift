/// The values of ``FetchedResults`` as a collection, each read when it is asked for: what a list view
/// counts and indexes.
///
/// ```swift
/// let rows = try await client.results(of: Character.all.sorted { $0.name }).rows
/// List(rows.indices, id: \.self) { index in
///     if let hero = try? rows[index].get() { HeroRow(hero) }
/// }
/// ```
///
/// Reading can fail and a collection cannot throw, so an element is the value or the error. The positions are
/// those of the moment at which the collection was made, and its count never changes: where the results were
/// refetched and have other values in other places since, every element is `.invalidRequest`, never the value
/// of another position. ``FetchedResults/rows`` then has the new ones.
public struct FetchedRows<Model: StoredConvertible>: RandomAccessCollection, Sendable {
    let results: FetchedResults<Model>
    /// Which values, in which order, the positions are of.
    let layout: Int

    /// The position of the first value.
    public let startIndex = 0
    /// The position after the last value.
    public let endIndex: Int

    /// The value at a position, or why it could not be read.
    public subscript(position: Int) -> Result<Model, DBClientError> {
        results.row(at: position, of: layout)
    }
}
