/// The progress of a copy, reported while it runs.
public struct CopyProgress: Hashable, Sendable {
    /// The stored name of the entity whose values are being copied.
    public let entity: String
    /// How many of its values are written.
    public let copied: Int
    /// How many of its values the source has.
    public let count: Int
    /// The part of the whole copy that is done, from 0 to 1.
    public let fraction: Double
}
