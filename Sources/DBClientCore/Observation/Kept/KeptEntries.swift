/// Rows that are made of what is kept, as entries in their order: confined to the hub once they are read.
class KeptEntries: KeptState, @unchecked Sendable {
    var hasChanged: Bool { false }

    func take(before: RowBatch?, after: RowBatch?, of input: Int) -> Bool { false }

    /// Visits the rows that have changed since they were last visited, all of them the first time: the entry that was
    /// visited last, and the one in its place.
    ///
    /// - Throws: `.invalidValue` when a sum leaves its range.
    func visitChanges(_ visit: (_ old: ResultEntry?, _ new: ResultEntry?) -> Void) throws {}
}
