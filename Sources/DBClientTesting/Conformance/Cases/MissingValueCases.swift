import DBClientCore

/// Values whose rows another program deleted or never wrote, and chains that are deleted.
enum MissingValueCases {
    static let all: [ConformanceCase] = [
        promise(.relationships, "what is gone reads as nil or is left out where its rule says so") {
            client in
            try await client.insert([Skill("a"), Skill("b")])
            try await client.insert(Studio(1, "s"))
            try await client.insert([
                LooseRack(1, studio: 7, first: 8, skills: ["a", "gone", "b"]),
                LooseRack(2, studio: 1, first: 1, skills: ["b"]),
            ])
            let rack = Rack(1, studio: nil, first: 8, skills: [Skill("a"), Skill("b")])
            let other = Rack(2, studio: Studio(1, "s"), first: 1, skills: [Skill("b")])
            try expectEqual(try await client.findAll(Rack.self), [rack, other])
            try expectEqual(try await client.find(Rack.self, key: 1), rack)
            // What is written is what was read.
            try await expectError(.danglingReference) { try await client.update(rack) }
            var repaired = rack
            repaired.first = nil
            try await client.update(repaired)
            let loose = LooseRack(1, studio: nil, first: nil, skills: ["a", "b"])
            try expectEqual(try await client.find(LooseRack.self, key: 1), loose)
        },
        promise(.relationships, "a condition about a key goes by it, one about what is gone by nil")
        {
            client in
            try await client.insert(Studio(1, "s", founded: 3))
            try await client.insert([
                LooseRack(1, studio: 7, first: 8, skills: []),
                LooseRack(2, studio: 1, first: 1, skills: []),
                LooseRack(3, studio: nil, first: nil, skills: []),
            ])
            func expect(_ ids: [Int], _ request: FetchRequest<Rack>, line: Int = #line) async throws
            {
                try expectEqual(try await client.fetch(request).map(\.id), ids, line: line)
                try expectEqual(try await client.count(request), ids.count, line: line)
            }
            try await expect([3], Rack.where { $0.studio == nil })
            try await expect([1, 2], Rack.where { $0.studio != nil })
            try await expect([1], Rack.where { $0.first == Reference(8) })
            try await expect([1, 3], Rack.where { $0.studio.name == nil })
            try await expect([2], Rack.where { $0.studio.name == "s" })
            try await expect([1, 3], Rack.where { $0.studio.name != "s" })
            try await expect([1, 3], Rack.where { !($0.studio.name == "s") })
            try await expect([2], Rack.where { $0.studio.founded < 4 })
            try await expect([1, 3], Rack.where { !($0.studio.founded < 4) })
            try await expect([1, 3, 2], Rack.all.sorted { $0.studio.name })
            try await expect([2, 1, 3], Rack.all.sorted { $0.studio.name.descending })
        },
        promise(.entities, "an entity leaves out what is gone where its rule says so") { client in
            try await client.insert([Skill("a"), Skill("b")])
            try await client.insert(
                LooseRack(1, studio: 7, first: 8, skills: ["a", "gone", "b"])
            )
            try await client.write { transaction in
                let entity = try EntityCases.required(transaction.entities.find(Rack.self, key: 1))
                try expectEqual(try entity.entity(\Rack.studio) == nil, true)
                try expectEqual(try entity.entity(\Rack.first) == nil, true)
                try expectEqual(try entity.entities(\Rack.skills).count, 2)
            }
        },
        promise(.relationships, "a value that needs what is gone is named by its key") { client in
            try await client.insert(Studio(1, "s"))
            try await client.insert((1...3).map { LooseLease($0, studio: $0 == 2 ? 9 : 1) })
            let error = try await expectError(.danglingReference) {
                _ = try await client.findAll(Lease.self)
            }
            try expectEqual(error.entity, "Lease")
            try expectEqual(error.field, "studio")
            try expectEqual(error.key, "2")
            try expectEqual(try await client.find(Lease.self, key: 3), Lease(3, Studio(1, "s")))
            try await client.delete(Lease.self, key: 2)
            try expectEqual(try await client.findAll(Lease.self).map(\.id), [1, 3])
        },
        promise(.relationships, "a chain that cascades goes whole, with what branches off") {
            client in
            let count = 200
            try await client.insert(
                (1...count).map { id in Chained(id, after: id == 1 ? nil : id - 1) }
            )
            try await client.insert(
                (1...count).map { id in Chained(1_000 + id, after: id, beside: id % 7 + 1) }
            )
            try expectEqual(try await client.delete(Chained.self, keys: [count, 5_000]), 1)
            try expectEqual(try await client.count(Chained.all), 2 * count - 2)
            try expectEqual(try await client.delete(Chained.where { $0.id == 100 }), 1)
            try expectEqual(try await client.count(Chained.all), 198)
            try expectEqual(try await client.delete(Chained.self, keys: [1]), 1)
            try expectEqual(try await client.count(Chained.all), 0)
        },
    ]
}

@Stored private struct Rack: Equatable {
    let id: Int
    var studio: Studio?
    var first: Reference<Studio>?
    var skills: [Skill]

    init(_ id: Int, studio: Studio?, first: Int?, skills: [Skill]) {
        self.id = id
        self.studio = studio
        self.first = first.map { Reference($0) }
        self.skills = skills
    }
}

/// The same as a program has it that knows of keys alone.
@Stored("Rack") private struct LooseRack: Equatable {
    let id: Int
    var studio: Int?
    var first: Int?
    @Relationship(onDelete: .weak) var skills: References<Skill>

    init(_ id: Int, studio: Int?, first: Int?, skills: [String]) {
        self.id = id
        self.studio = studio
        self.first = first
        self.skills = References(skills)
    }
}

@Stored private struct Lease: Equatable {
    let id: Int
    var studio: Studio

    init(_ id: Int, _ studio: Studio) {
        self.id = id
        self.studio = studio
    }
}

@Stored("Lease") private struct LooseLease: Equatable {
    let id: Int
    var studio: Int

    init(_ id: Int, studio: Int) {
        self.id = id
        self.studio = studio
    }
}

@Stored private struct Chained: Equatable {
    let id: Int
    @Relationship(onDelete: .cascade) var after: Reference<Chained>?
    var beside: Reference<Chained>?

    init(_ id: Int, after: Int?, beside: Int? = nil) {
        self.id = id
        self.after = after.map { Reference($0) }
        self.beside = beside.map { Reference($0) }
    }
}
