/// How what a store has of an entity differs from what a model needs.
///
/// The fields of the model are named by their positions in its `EntitySchema`.
public struct ShapeDifference: Equatable, Sendable {
    /// The fields of the model that the store lacks, ascending.
    public var missing: [Int] = []
    /// The fields that may be absent in the model and not in the store, ascending.
    public var relaxed: [Int] = []
    /// The fields whose stored values the model cannot read, or would not: written as another type, or as one
    /// that may be absent where the model's may not, or of a column that compares text otherwise than by its
    /// bytes.
    public var unfit: [Int] = []
    /// The stored names of fields that the model lacks, in stored order.
    public var surplus: [String] = []
    /// The fields in ``surplus`` that the store requires of every value.
    public var required: [String] = []
    /// Whether the primary key is made of other fields.
    public var hasOtherKey = false
    /// The positions of the model's indexes that the store lacks, and without which the model fits.
    public var unindexed: [Int] = []
    /// Whether the store could keep an index of the texts that the model searches, and has none.
    public var lacksSearchIndex = false

    /// The forms in which the stored fields were written, by their positions in the model, where the store
    /// knows.
    public var written: [Int: FieldForm] = [:]

    /// Creates an empty difference: the store has the entity exactly as the model needs it.
    public init() {}

    /// Whether the model can be read and written.
    public var fits: Bool {
        missing.isEmpty && relaxed.isEmpty && unfit.isEmpty && required.isEmpty && !hasOtherKey
    }
}

/// How an entity is changed so that a model fits it.
public struct ShapeChange {
    /// The fields of the model to be added, with what the stored values get for them.
    public let added: RowAssignments
    /// The fields of the model that may be absent from now on.
    public let relaxed: [Int]
    /// The stored names of fields to be taken away, with their values.
    public let removed: [String]

    /// Creates a change from the fields to add, to make optional and to remove.
    public init(added: RowAssignments, relaxed: [Int], removed: [String]) {
        self.added = added
        self.relaxed = relaxed
        self.removed = removed
    }
}
