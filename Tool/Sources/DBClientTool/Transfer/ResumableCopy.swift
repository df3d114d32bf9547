import DBClientCore

/// Copies entities page by page, each page in a transaction of its own, so that a copy that was killed goes on where
/// it was.
///
/// The target itself tells how far it is: what comes after its last key is missing. So it must have no other rows of
/// these entities.
struct ResumableCopy {
    private let source: Store
    private let target: Store
    private let entities: [EntitySchema]
    private let progress = Progress()

    /// How many rows were copied of an entity, and how many the target had.
    struct Outcome: Sendable {
        let entity: EntitySchema
        let copied: Int
        let present: Int
    }

    /// As many rows as a transaction writes.
    private static let pageSize = 1_000

    init(_ entities: [EntitySchema], from source: Store, to target: Store) {
        self.entities = entities
        self.source = source
        self.target = target
    }

    /// Copies what the target lacks.
    func run() async throws -> [Outcome] {
        guard !entities.isEmpty else { throw ToolError("The source has no entity to copy.") }
        defer { progress.end() }
        var outcomes: [Outcome] = []
        let steps = Self.steps(of: entities)
        let paged = steps.filter { $0.count == 1 && !$0[0].refersToItself }.map { $0[0] }
        for entity in paged + entities.flatMap(\.links) { try await checkBeginning(of: entity) }
        try await target.noteCopy(of: source)
        for step in steps {
            if step.count == 1, !step[0].refersToItself {
                outcomes.append(try await copyPages(of: step[0]))
            } else {
                outcomes += try await copyTogether(step)
            }
        }
        for link in entities.flatMap(\.links) { _ = try await copyPages(of: link) }
        try await target.forgetCopies()
        return outcomes
    }

    /// Returns the entities in an order in which what a row refers to comes before it; those that refer to each other
    /// in circles are one step.
    static func steps(of entities: [EntitySchema]) -> [[EntitySchema]] {
        var left = entities
        var steps: [[EntitySchema]] = []
        while !left.isEmpty {
            let names = Set(left.map(\.name))
            let next = left.firstIndex { entity in
                entity.neededNames.subtracting([entity.name]).isDisjoint(with: names)
            }
            if let next {
                steps.append([left.remove(at: next)])
            } else {
                // Some of them only refer to those in the circle, and may as well be among them.
                steps.append(left)
                left = []
            }
        }
        return steps
    }

    /// Throws where the target has other rows than the first ones of the source: what comes after its last key would
    /// not be all that is missing.
    private func checkBeginning(of entity: EntitySchema) async throws {
        guard let last = try await lastRow(of: entity) else { return }
        let request = DynamicRequest(entity)
        let present = try await target.client.count(request)
        let expected = try await source.client.read { transaction -> Int? in
            guard try transaction.find(entity, key: last.key) != nil else { return nil }
            return try transaction.count(request) - transaction.count(request.after(last))
        }
        guard present != expected else { return }
        let found = expected.map { "and the source \($0)." } ?? "which the source lacks."
        throw ToolError(
            "The target must have the first rows of \(entity.name) and no others;"
                + " it has \(present) up to its last key, \(found)",
            hint: "Copy without --resumable; --replace then replaces rows of the target."
        )
    }

    /// The row of the target with the greatest key.
    private func lastRow(of entity: EntitySchema) async throws -> DynamicRow? {
        var request = DynamicRequest(entity).limit(1)
        request.sorts = entity.primaryKey.map {
            DynamicRequest.Sort(entity.fields[$0].name, descending: true)
        }
        return try await target.client.fetch(request).first
    }

    private func copyPages(of entity: EntitySchema) async throws -> Outcome {
        let request = DynamicRequest(entity)
        var last = try await lastRow(of: entity)
        let present = try await target.client.count(request)
        let total = try await source.client.count(request)
        var copied = 0
        while true {
            let page = last.map { request.after($0) } ?? request
            let rows = try await source.client.fetch(page.limit(Self.pageSize))
            guard !rows.isEmpty else { break }
            _ = try await target.client.insert(rows)
            copied += rows.count
            last = rows.last
            let fraction = Double(present + copied) / Double(max(total, 1))
            progress.tell(entity.name, rows: copied, fraction: min(fraction, 1))
        }
        return Outcome(entity: entity, copied: copied, present: present)
    }

    /// Copies entities that refer to each other in one transaction, unless they are there.
    private func copyTogether(_ entities: [EntitySchema]) async throws -> [Outcome] {
        var counts: [(present: Int, total: Int)] = []
        for entity in entities {
            let request = DynamicRequest(entity)
            counts.append(
                (
                    try await target.client.count(request),
                    try await source.client.count(request)
                )
            )
        }
        if counts.allSatisfy({ $0.present == $0.total }) {
            return zip(entities, counts).map { Outcome(entity: $0, copied: 0, present: $1.present) }
        }
        if let index = counts.firstIndex(where: { $0.present > 0 }) {
            throw ToolError(
                "The target must have all rows of \(entities[index].name) or none, since they refer to each other;"
                    + " it has \(counts[index].present) of \(counts[index].total)."
            )
        }
        let (reading, writing) = (source.client, target.client)
        _ = try await writing.write { transaction in
            try reading.readBlocking { source in
                var rows = PagedRows(of: entities, in: source)
                return try transaction.insert { try rows.next() }
            }
        }
        return zip(entities, counts).map { Outcome(entity: $0, copied: $1.total, present: 0) }
    }

    /// The rows of entities, one after the other, with a page of them in memory.
    private struct PagedRows {
        private var entities: [EntitySchema]
        private let source: ReadTransaction
        private var page: [DynamicRow] = []
        private var position = 0

        init(of entities: [EntitySchema], in source: ReadTransaction) {
            self.entities = entities
            self.source = source
        }

        mutating func next() throws -> DynamicRow? {
            while position == page.count {
                guard let entity = entities.first else { return nil }
                let request = DynamicRequest(entity).limit(ResumableCopy.pageSize)
                page = try source.fetch(page.last.map { request.after($0) } ?? request)
                position = 0
                if page.isEmpty { entities.removeFirst() }
            }
            position += 1
            return page[position - 1]
        }
    }
}

extension EntitySchema {
    /// The names of the entities whose rows must be there before a row of this one.
    fileprivate var neededNames: Set<String> {
        Set(
            relationships.filter { $0.link == nil && $0.rule != .weak }.map(\.targetName)
        )
    }

    fileprivate var refersToItself: Bool { neededNames.contains(name) }
}
