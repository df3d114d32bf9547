import DBClientCore

/// Reads the commits of other processes from the journal.
final class JournalReader: Sendable {
    private let environment: Environment
    private let journal: Journal
    private let registration: Registration

    init(_ environment: Environment, _ journal: Journal, _ registration: Registration) {
        self.environment = environment
        self.journal = journal
        self.registration = registration
    }

    /// Reads what the commits with some numbers did to the entities that are observed.
    ///
    /// - Parameters:
    ///   - numbers: The numbers, all of other processes.
    ///   - observed: The entities, by their names.
    /// - Returns: What is known, one unit after another.
    func units(
        _ numbers: ClosedRange<UInt64>,
        _ observed: [EntityName: EntitySchema]
    ) -> [CapturedUnit] {
        let unknown = CapturedUnit(unseen: .entities(Set(observed.keys)))
        guard let reader = try? environment.takeReader() else { return [unknown] }
        defer { environment.giveBack(reader) }
        // Before anything is read of the snapshot, which this may exchange for a newer one.
        let layouts = observed.mapValues { (try? reader.store(for: $0))?.layout }
        var units: [CapturedUnit] = []
        var isComplete = true
        journal.read(numbers, through: reader) { bytes in
            let told = bytes.flatMap {
                JournalEntry.units(of: $0, observed: observed) { entity in
                    layouts[entity.exactName] ?? nil
                }
            }
            units += told ?? [unknown]
            if told == nil { isComplete = false }
        }
        // The other processes may not know of this one.
        if !isComplete { registration.verify(in: reader) }
        return units
    }
}
