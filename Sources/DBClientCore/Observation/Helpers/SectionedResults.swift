/// Values in sections of equal keys.
///
/// The sections stand in the order of their first values; in each, the values keep their order. Sort a
/// request by what makes the key to have each section's values together.
public struct SectionedResults<
    Key: Hashable & Sendable,
    Model: StoredConvertible
>: RandomAccessCollection, Sendable {
    /// A run of values that have one key, in the order of the result.
    public struct Section: RandomAccessCollection, Sendable {
        /// The key that the values of the section have in common.
        public let key: Key
        fileprivate let objects: ResultCollection<Model>
        fileprivate var positions: [Int]

        /// The position of the first value, always zero.
        public var startIndex: Int { 0 }
        /// The position after the last value, which is the number of values in the section.
        public var endIndex: Int { positions.count }
        /// The value at a position in the section.
        public subscript(position: Int) -> Model { objects[positions[position]] }
    }

    private var sections: [Section] = []
    /// The section and the position in it of each value.
    fileprivate private(set) var places: [SectionedChangeSet<Key, Model>.Position] = []

    init(_ objects: ResultCollection<Model>, _ key: (Model) -> Key) {
        var indices: [Key: Int] = [:]
        places.reserveCapacity(objects.count)
        for (position, object) in objects.enumerated() {
            let key = key(object)
            let index: Int
            if let known = indices[key] {
                index = known
            } else {
                index = sections.count
                indices[key] = index
                sections.append(Section(key: key, objects: objects, positions: []))
            }
            places.append(.init(section: index, item: sections[index].positions.count))
            sections[index].positions.append(position)
        }
    }

    /// The position of the first section, always zero.
    public var startIndex: Int { 0 }
    /// The position after the last section, which is the number of sections.
    public var endIndex: Int { sections.count }
    /// The section at a position from zero; traps outside of the collection.
    public subscript(position: Int) -> Section { sections[position] }
}

/// A change set in sections.
///
/// Deleting the deleted sections and the deletions, each by its place in `previous`, and inserting the
/// inserted sections and the insertions, each by its place in `sections`, turns the former sections into the
/// present ones. The values of a section that comes or goes are not listed one by one.
public struct SectionedChangeSet<Key: Hashable & Sendable, Model: StoredConvertible>: Sendable {
    /// A place of a value: a section and a position in it.
    public struct Position: Hashable, Sendable {
        /// The position of the section among the sections.
        public let section: Int
        /// The position of the value in it.
        public let item: Int

        /// Creates a place from the position of a section and one in it.
        public init(section: Int, item: Int) {
            self.section = section
            self.item = item
        }
    }

    /// The sections after the change, to show from now on.
    public let sections: SectionedResults<Key, Model>
    /// The sections as the observer last got them.
    public let previous: SectionedResults<Key, Model>
    /// Sections that are gone or stand elsewhere, as positions in `previous`, ascending.
    public let deletedSections: [Int]
    /// Sections that are new or stand elsewhere, as positions in `sections`, ascending.
    public let insertedSections: [Int]
    /// Values that are gone from sections that stay, in order.
    public let deletions: [Position]
    /// Values that are new in sections that stay, in order.
    public let insertions: [Position]
    /// Values that have changed and are in a section that stays, by their present places.
    public let modifications: [Position]

    fileprivate init(_ changes: ChangeSet<Model>, _ key: (Model) -> Key) {
        let old = SectionedResults(changes.previous, key)
        let new = SectionedResults(changes.objects, key)
        let difference = new.map(\.key).difference(from: old.map(\.key))
        let deletedSections = difference.removals.map(offset)
        let insertedSections = difference.insertions.map(offset)
        var gone = Set(changes.deletions)
        var come = Set(changes.insertions)
        // A value may change its section and stay where it is among all, and be no modification where
        // only other fields are observed.
        let stayed = zip(
            old.places.indices.filter { !gone.contains($0) },
            new.places.indices.filter { !come.contains($0) }
        )
        for (from, to) in stayed
        where old[old.places[from].section].key != new[new.places[to].section].key {
            gone.insert(from)
            come.insert(to)
        }
        let isDeleted = Set(deletedSections)
        let isInserted = Set(insertedSections)
        previous = old
        sections = new
        self.deletedSections = deletedSections
        self.insertedSections = insertedSections
        deletions = gone.map { old.places[$0] }.filter { !isDeleted.contains($0.section) }.sorted()
        insertions = come.map { new.places[$0] }.filter { !isInserted.contains($0.section) }
            .sorted()
        modifications = changes.modifications.map { new.places[$0.new] }
            .filter { !isInserted.contains($0.section) }.sorted()
    }
}

private func offset<Key>(_ change: CollectionDifference<Key>.Change) -> Int {
    switch change {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
}

extension SectionedChangeSet.Position: Comparable {
    /// Compares the sections, then the positions in them.
    public static func < (left: Self, right: Self) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}

extension ResultCollection {
    /// Returns the values in sections of equal keys, at the cost of looking at each value.
    public func sectioned<Key: Hashable & Sendable>(
        by key: (Model) -> Key
    ) -> SectionedResults<Key, Model> {
        SectionedResults(self, key)
    }
}

extension ChangeSet {
    /// Returns the change in sections of equal keys, at the cost of looking at each value.
    ///
    /// Where only some fields are observed, those that make the key should be among them: a change of others
    /// alone is not delivered, so it moves a value to its section with the next one that is.
    public func sectioned<Key: Hashable & Sendable>(
        by key: (Model) -> Key
    ) -> SectionedChangeSet<Key, Model> {
        SectionedChangeSet(self, key)
    }
}
