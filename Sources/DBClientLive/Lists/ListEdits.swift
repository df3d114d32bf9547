import DBClientCore

/// A change of a list as identities: what goes, what comes after what, and what is to be drawn again.
///
/// This is what a diffable data source is told, so that a change of one row costs no more than that.
struct ListEdits<ID: Hashable & Sendable>: Equatable {
    /// Identities that come in a row.
    struct Insertion: Equatable {
        let ids: [ID]
        /// The one after which they come; nil at the front.
        let after: ID?
    }

    /// What goes, those that moved included.
    let deletions: [ID]
    /// What comes, in order, those that moved included.
    let insertions: [Insertion]
    /// What has changed where it stands or where it came to.
    let changes: [ID]

    /// Creates the edits of a change.
    init<Elements: RandomAccessCollection>(
        _ change: LiveChange,
        from previous: Elements,
        to elements: Elements,
        id: (Elements.Element) -> ID
    ) where Elements.Index == Int {
        deletions = change.deletions.map { id(previous[$0]) }
        var insertions: [Insertion] = []
        var run: [ID] = []
        for (index, position) in change.insertions.enumerated() {
            run.append(id(elements[position]))
            let isLast = index + 1 == change.insertions.count
            if !isLast, change.insertions[index + 1] == position + 1 { continue }
            let first = position - run.count
            insertions.append(Insertion(ids: run, after: first < 0 ? nil : id(elements[first])))
            run = []
        }
        self.insertions = insertions
        changes = change.modifications.map { id(elements[$0.to]) }
    }
}
