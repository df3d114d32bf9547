/// A value that a search has found.
public struct SearchHit<Model: StoredConvertible>: Sendable {
    /// The value, as a fetch returns it.
    public let value: Model
    /// How well it matches among all values of the model; the greatest is the best.
    ///
    /// It is equal on every engine, bit by bit.
    public let score: Double
    /// The texts in which words of the search were found, in the order in which they are searched.
    public let texts: [SearchedText]
}

extension SearchHit: Equatable where Model: Equatable {}
extension SearchHit: Hashable where Model: Hashable {}
