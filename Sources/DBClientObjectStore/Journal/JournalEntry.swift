import DBClientCore

/// What one commit did, as it lies in the journal: for each of its units the rows before and after, as
/// the records that the tables have.
///
/// `Documentation/FileFormat.md` has the format.
enum JournalEntry {
    /// What each part of an entry begins with.
    private enum Part: UInt8 {
        /// The entry has everything that was done to an entity.
        case watched = 1
        /// Rows of an entity that were written.
        case rows = 2
        /// Rows of an entity may have been written.
        case unseen = 3
        /// Rows of any entity may have been written.
        case unseenAll = 4
        case endOfUnit = 5
    }

    private static let version: UInt16 = 1

    /// A longer entry says only which entities were written.
    private static let limit = 4 << 20

    // MARK: Writing

    /// Writes down a commit.
    ///
    /// - Parameters:
    ///   - units: What it did.
    ///   - watched: The entities that are described, of all that were captured.
    ///   - layout: Returns the layout of an entity's records.
    /// - Returns: The entry.
    /// - Throws: What `layout` throws.
    static func bytes(
        of units: [CapturedUnit],
        watched: Set<EntityName>,
        layout: (EntitySchema) throws -> RecordLayout
    ) throws -> [UInt8] {
        var writer = ChecksummedOutput(version: version)
        for name in watched.sorted() {
            writer.append(Part.watched.rawValue)
            writer.append(name)
        }
        let start = writer.count
        for unit in units {
            guard try append(unit, watched, layout, to: &writer) else {
                writer.truncate(to: start)
                appendNames(of: units, watched, to: &writer)
                break
            }
        }
        return writer.finish()
    }

    /// Appends what a unit changed, and returns whether it fits the limit of an entry.
    private static func append(
        _ unit: CapturedUnit,
        _ watched: Set<EntityName>,
        _ layout: (EntitySchema) throws -> RecordLayout,
        to writer: inout ChecksummedOutput
    ) throws -> Bool {
        let start = writer.count
        append(unit.unseen, watched, to: &writer)
        for log in unit.logs where watched.contains(log.name) {
            let layout = try layout(log.entity)
            writer.append(Part.rows.rawValue)
            writer.append(log.name)
            writer.append(UInt32(log.count))
            for position in 0..<log.count {
                let (before, after) = log[position]
                writer.append(before, layout)
                writer.append(after, layout)
                if writer.count > limit { return false }
            }
        }
        if writer.count > start { writer.append(Part.endOfUnit.rawValue) }
        return true
    }

    private static func appendNames(
        of units: [CapturedUnit],
        _ watched: Set<EntityName>,
        to writer: inout ChecksummedOutput
    ) {
        let unseen = units.reduce(UntrackedChanges.none) {
            $0.union($1.unseen).union(.entities(Set($1.logs.map(\.name))))
        }
        append(unseen, watched, to: &writer)
        writer.append(Part.endOfUnit.rawValue)
    }

    private static func append(
        _ unseen: UntrackedChanges,
        _ watched: Set<EntityName>,
        to writer: inout ChecksummedOutput
    ) {
        switch unseen {
        case .none: break
        case .entities(let names):
            for name in names.intersection(watched) {
                writer.append(Part.unseen.rawValue)
                writer.append(name)
            }
        case .all: writer.append(Part.unseenAll.rawValue)
        }
    }

    // MARK: Reading

    /// Reads what an entry says of the entities that are observed.
    ///
    /// Whatever is damaged, or in another form than the reader's, counts as unseen.
    ///
    /// - Parameters:
    ///   - bytes: The entry.
    ///   - observed: The entities, by their names.
    ///   - layout: Returns the layout of an entity's records; nil where it is not known.
    /// - Returns: The units; nil when the entry does not have everything.
    static func units(
        of bytes: UnsafeRawBufferPointer,
        observed: [EntityName: EntitySchema],
        layout: (EntitySchema) -> RecordLayout?
    ) -> [CapturedUnit]? {
        guard var reader = ChecksummedInput(bytes, version: version) else { return nil }
        var missing = Set(observed.keys)
        var units: [CapturedUnit] = []
        var logs: [RowLog] = []
        var unseen = UntrackedChanges.none
        while let byte = reader.byte() {
            guard let part = Part(rawValue: byte) else { return nil }
            switch part {
            case .watched:
                guard let name = reader.name() else { return nil }
                missing.remove(name)
            case .rows:
                guard let name = reader.name(), let count = reader.word() else { return nil }
                let entity = observed[name]
                let shape = entity.flatMap { entity in layout(entity).map { (entity, $0) } }
                guard let log = rows(count, shape, &reader) else { return nil }
                switch log {
                case .known(let log): logs.append(log)
                case .unknown:
                    if entity != nil { unseen = unseen.union(.entities([name])) }
                }
            case .unseen:
                guard let name = reader.name() else { return nil }
                unseen = unseen.union(.entities([name]))
            case .unseenAll: unseen = .all
            case .endOfUnit:
                if !logs.isEmpty || unseen != .none {
                    units.append(CapturedUnit(logs: logs, unseen: unseen))
                }
                (logs, unseen) = ([], .none)
            }
        }
        guard missing.isEmpty, reader.isAtEnd, logs.isEmpty, unseen == .none else { return nil }
        return units
    }

    private enum Rows {
        case known(RowLog)
        case unknown
    }

    /// Reads the rows of an entity, or skips them where they are not the reader's; nil when they are
    /// damaged.
    private static func rows(
        _ count: UInt32,
        _ shape: (entity: EntitySchema, layout: RecordLayout)?,
        _ reader: inout ChecksummedInput
    ) -> Rows? {
        let width = shape?.layout.fieldCount ?? 0
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: max(2 * width, 1))
        defer { slots.deallocate() }
        let log = shape.map { RowLog($0.entity) }
        var isKnown = log != nil
        for _ in 0..<count {
            guard let before = reader.record(), let after = reader.record() else { return nil }
            guard isKnown, let log, let (entity, layout) = shape else { continue }
            do {
                log.append(
                    before: try row(before, entity, layout, slots),
                    after: try row(after, entity, layout, slots + width)
                )
            } catch {
                isKnown = false
            }
        }
        if isKnown, let log { return .known(log) }
        return .unknown
    }

    private static func row(
        _ bytes: UnsafeRawBufferPointer,
        _ entity: EntitySchema,
        _ layout: RecordLayout,
        _ slots: UnsafeMutablePointer<Slot>
    ) throws -> RowBatch? {
        if bytes.isEmpty { return nil }
        try Record(bytes, layout).fill(slots, layout)
        return RowBatch(slots: slots, columnCount: layout.fieldCount, count: 1, entity: entity)
    }
}
