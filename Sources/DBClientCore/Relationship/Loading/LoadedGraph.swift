/// All that some rows hold of other models, at any depth: each value is looked up once and made once,
/// however many hold it and by whatever way.
///
/// Rows are followed level by level, so that the keys of a level are looked up together. Then the models
/// are made, those that hold nothing first.
final class LoadedGraph {
    private let reader: any EngineReader
    private let tellsContents: Bool
    /// Whether values that hold nothing are looked up too.
    private let followsFlat: Bool
    private var entities: [LoadedEntity] = []

    init(_ reader: any EngineReader, tellsContents: Bool = false, followsFlat: Bool = true) {
        self.reader = reader
        self.tellsContents = tellsContents
        self.followsFlat = followsFlat
    }

    /// Looks up all that rows hold.
    ///
    /// `areAll` says that the rows are all of their entity, so that their links need no condition.
    func follow(_ owners: OwnerRows, areAll: Bool) throws {
        var holders = [owners]
        try followNext(owners, areAll: areAll)
        while true {
            var isDone = true
            for entity in entities where entity.hasUnknownKeys {
                isDone = false
                try entity.lookUp(reader)
            }
            if isDone { break }
            // Entities that this level is the first to name come with the next.
            for entity in entities {
                guard let rows = entity.holding else { continue }
                if !holders.contains(where: { $0 === rows }) { holders.append(rows) }
                try followNext(rows, areAll: false)
            }
        }
        for holder in holders { try holder.finish() }
    }

    /// Finds the keys of what the rows hold that were not followed yet.
    private func followNext(_ holder: OwnerRows, areAll: Bool) throws {
        let rows = holder.startLevel()
        if rows.isEmpty { return }
        var owners: OwnerRows.Owners?
        for holding in holder.holdings {
            let relationship = holding.relationship
            guard let related = relationship.relatedModel else { continue }
            if let link = relationship.link {
                if holding.target == nil && holding.keys == nil {
                    try prepare(holding, related)
                }
                guard holding.target != nil || holding.keys != nil else { continue }
                let known = owners ?? holder.owners(of: rows)
                owners = known
                try followLinks(holding, link, known, areAll: areAll)
            } else if !relationship.isByReference {
                if holding.target == nil { try prepare(holding, related) }
                holding.followKeys(of: holder.rows, rows)
            }
        }
    }

    private func prepare(_ holding: Holding, _ related: RelatedModel) throws {
        let entity = related.entity()
        if holding.relationship.isByReference {
            if followsFlat { holding.keys = KeyTable(entity) }
            return
        }
        guard followsFlat || !entity.isFlat else { return }
        if let known = entities.first(where: { $0.entity === entity }) {
            holding.target = known
            return
        }
        try entity.validate()
        let made = related.makeLoaded(tellsContents)
        entities.append(made)
        holding.target = made
    }

    private func followLinks(
        _ holding: Holding,
        _ link: LinkSchema,
        _ owners: OwnerRows.Owners,
        areAll: Bool
    ) throws {
        let first = holding.lists.grow(by: owners.table.count)
        let condition: RowCondition =
            areAll ? .constant(true) : .keys(link.owner, in: owners.table.keys)
        // Links come in the order of their owners, so most are of the owner just seen.
        var lastKey: Int64?
        var lastOwner: Int32?
        try reader.scan(RowQuery(link.entity, where: condition)) { batch in
            for row in 0..<batch.count {
                let slots = batch.slots + row * batch.columnCount
                let key = owners.table.isInteger ? slots[0].integer : nil
                if key == nil || key != lastKey {
                    lastOwner = owners.table.position(of: slots)
                    lastKey = key
                }
                guard let owner = lastOwner else { continue }
                let position = holding.insert(slots + link.target[0])
                holding.lists.append(position, to: first + Int(owner))
            }
            return true
        }
    }

    /// Finds out how many levels are below each value that is held, and returns how many there are.
    ///
    /// - Throws: `.invalidValue` where values hold themselves, or more than can be read.
    @discardableResult
    func findLevels() throws -> Int {
        var search = LevelSearch(entities)
        return try search.run()
    }

    /// Adds what is held, with the levels below it, to a chain.
    func addLevels(to chain: inout NestingDepthCheck) {
        for entity in entities { entity.addLevels(to: &chain) }
    }

    /// Makes the models of all that is held.
    func decode() throws {
        guard entities.contains(where: { $0.holding != nil }) else { return }
        for level in 0..<(try findLevels()) {
            for entity in entities { try entity.decode(level: level) }
        }
    }
}
