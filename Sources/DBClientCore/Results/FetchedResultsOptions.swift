/// How ``FetchedResults`` read and what they keep.
public struct FetchedResultsOptions: Sendable {
    /// How many values are read at a time where positions come in a row.
    public var batchSize: Int
    /// How many batches stay in memory.
    public var maximumBatches: Int
    /// How long the store may be kept from reusing what was deleted since.
    public var maximumSnapshotAge: Duration

    /// Creates options: by default 16 batches of 64 values, and a snapshot of at most 30 seconds.
    public init(
        batchSize: Int = 64,
        maximumBatches: Int = 16,
        maximumSnapshotAge: Duration = .seconds(30)
    ) {
        self.batchSize = max(batchSize, 1)
        self.maximumBatches = max(maximumBatches, 1)
        self.maximumSnapshotAge = maximumSnapshotAge
    }
}
