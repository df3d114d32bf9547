import DBClientCore

/// What the conjuncts of a condition say of one column, in the forms that a key order can serve.
struct ColumnConstraint {
    /// The values that the column may have, null for absent; nil when it is not so limited.
    var values: [StorageValue]?
    var lower: (value: StorageValue, isIncluded: Bool)?
    var upper: (value: StorageValue, isIncluded: Bool)?
    var prefix: String?
    /// The conjuncts that the fields above express whole.
    var expressed = 0

    var isRange: Bool { lower != nil || upper != nil || prefix != nil }
}
