/// Hints about which calls on an entity are cheap for an engine, for the code above it that chooses among
/// several.
///
/// No hint changes what a call does.
public struct EngineHints: Sendable {
    /// How many rows the next buffer should have where many are inserted; nil for enough to sort and to batch.
    public var rowsOfInsert: Int?
    /// Whether one update of some fields of many rows takes less than one update for each, so that rows are gathered
    /// for it.
    public var updatesTogether: Bool
    /// Whether an upsert takes one row after another, so that a few at a time, which stay in the processor's
    /// cache, are better than all.
    public var upsertsRowByRow: Bool
    /// Whether a condition on a field that is indexed has the engine look at every row.
    public var looksAtEveryRow: Bool

    /// Creates hints, by default of an engine with nothing special.
    public init(
        rowsOfInsert: Int? = nil,
        updatesTogether: Bool = false,
        upsertsRowByRow: Bool = false,
        looksAtEveryRow: Bool = false
    ) {
        self.rowsOfInsert = rowsOfInsert
        self.updatesTogether = updatesTogether
        self.upsertsRowByRow = upsertsRowByRow
        self.looksAtEveryRow = looksAtEveryRow
    }
}
