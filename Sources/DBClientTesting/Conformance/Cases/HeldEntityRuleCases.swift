import DBClientCore

/// In which order live rows that hold each other are written and deleted, and what is refused.
enum HeldEntityRuleCases {
    static let all: [ConformanceCase] = circles + deleting + refusals

    private static let circles: [ConformanceCase] = [
        promise(.entities, "new entities may hold each other in a circle that can be nil") {
            client in
            try await client.write { transaction in
                let context = try transaction.entities
                let new = try (1...3).map { try context.insert(Artist($0)) }
                for (index, artist) in new.enumerated() {
                    try artist.set(\Artist.mentor, to: new[(index + 1) % 3])
                }
                try new[0].set(\Artist.rival, to: new[0])
            }
            try expectEqual(
                try await client.findAll(Artist.self),
                [Artist(1, mentor: 2, rival: 1), Artist(2, mentor: 3), Artist(3, mentor: 1)]
            )
        },
        promise(.entities, "new entities that require each other in a circle are refused") {
            client in
            let error = try await expectError(.constraintViolation) {
                try await client.write { transaction in
                    let context = try transaction.entities
                    try context.insert(Studio(1, "a"))
                    let one = try context.insert(Partner.self, key: 1)
                    let two = try context.insert(Partner.self, key: 2)
                    try one.set(\Partner.partner, to: two)
                    try two.set(\Partner.partner, to: one)
                }
            }
            try expectEqual(error.entity, "Partner")
            try expectEqual(error.field, "partner")
            try expectEqual(try await client.count(Studio.all), 0)
            try expectEqual(try await client.count(Partner.all), 0)
        },
        promise(.entities, "a new entity that requires itself is refused") { client in
            let error = try await expectError(.constraintViolation) {
                try await client.write { transaction in
                    let context = try transaction.entities
                    try context.insert(Studio(1, "a"))
                    let partner = try context.insert(Partner.self, key: 1)
                    try partner.set(\Partner.partner, to: partner)
                }
            }
            try expectEqual(error.entity, "Partner")
            try expectEqual(error.field, "partner")
            try expectEqual(try await client.count(Studio.all), 0)
            try expectEqual(try await client.count(Partner.all), 0)
        },
        promise(.entities, "stored entities may come to require each other in a circle") { client in
            try await client.insert([Partner(1, partner: 1), Partner(2, partner: 1)])
            try await client.write { transaction in
                let context = try transaction.entities
                let partners = try context.fetch(Partner.all)
                let third = try context.insert(Partner.self, key: 3)
                try third.set(\Partner.partner, to: partners[1])
                try partners[0].set(\Partner.partner, to: third)
            }
            try expectEqual(
                try await client.findAll(Partner.self),
                [Partner(1, partner: 3), Partner(2, partner: 1), Partner(3, partner: 2)]
            )
            try await client.write { transaction in
                let context = try transaction.entities
                let partner = try EntityCases.required(context.find(Partner.self, key: 1))
                let around = try partner.entity(\Partner.partner).entity(\Partner.partner)
                try expect(try around.entity(\Partner.partner) === partner, "the circle is open")
            }
        },
        promise(.entities, "entities that come to hold each other by value are refused") { client in
            let branches = [Branch(1, "a", [Branch(2, "b", [Branch(3, "c")])]), Branch(4, "d")]
            try await client.insert(branches)
            let closing: [@Sendable (EntityContext, ManagedEntity) throws -> Void] = [
                { try $1.set(\Branch.branches, to: [$1]) },
                { context, leaf in
                    let root = try EntityCases.required(context.find(Branch.self, key: 1))
                    try leaf.set(\Branch.branches, to: [root])
                },
                { context, leaf in
                    let new = try context.insert(Branch.self, key: 9)
                    try new.set(\Branch.name, to: "new")
                    try new.set(
                        \Branch.branches,
                        to: [EntityCases.required(context.find(Branch.self, key: 2))]
                    )
                    try leaf.set(\Branch.branches, to: [new])
                },
            ]
            for close in closing {
                let error = try await expectError(.invalidValue) {
                    try await client.write { transaction in
                        let context = try transaction.entities
                        try context.insert(Studio(1, "a"))
                        try close(
                            context,
                            EntityCases.required(context.find(Branch.self, key: 3))
                        )
                    }
                }
                try expectEqual(error.entity, "Branch")
                try expectEqual(error.field, "branches")
                try expectEqual(try await client.find(Branch.self, key: 1), branches[0])
                try expectEqual(try await client.count(Branch.all), 4)
                try expectEqual(try await client.count(Studio.all), 0)
            }
        },
        promise(.entities, "entities that hold and require each other by value are refused") {
            client in
            let stored = Crate(1, [Box(1, Crate(2))])
            try await client.insert(stored)
            let closing: [@Sendable (EntityContext) throws -> Void] = [
                { context in
                    let box = try EntityCases.required(context.find(Box.self, key: 1))
                    try box.set(
                        \Box.content,
                        to: EntityCases.required(context.find(Crate.self, key: 1))
                    )
                },
                { context in
                    let box = try EntityCases.required(context.find(Box.self, key: 1))
                    try box.set(\Box.spare, to: context.find(Crate.self, key: 1))
                },
                { context in
                    let crate = try context.insert(Crate.self, key: 7)
                    let box = try context.insert(Box.self, key: 7)
                    try box.set(\Box.content, to: crate)
                    try crate.set(\Crate.boxes, to: [box])
                },
            ]
            for close in closing {
                let error = try await expectError(.invalidValue) {
                    try await client.write { try close($0.entities) }
                }
                try expect(["Box", "Crate"].contains(error.entity), "the error names no entity")
                try expect(error.field != nil, "the error names no field")
                try expectEqual(try await client.findAll(Crate.self), [stored, Crate(2)])
            }
            // An entity that drops one reference before it takes the other closes no circle.
            try await client.write { transaction in
                let context = try transaction.entities
                let crates = try context.fetch(Crate.all)
                let box = try EntityCases.required(context.find(Box.self, key: 1))
                try crates[0].set(\Crate.boxes, to: [])
                try crates[1].set(\Crate.boxes, to: [box])
                try box.set(\Box.content, to: crates[0])
            }
            try expectEqual(
                try await client.findAll(Crate.self),
                [Crate(1), Crate(2, [Box(1, Crate(1))])]
            )
        },
        promise(.entities, "what is held is written before what requires it") { client in
            try await client.write { transaction in
                let context = try transaction.entities
                let contract = try context.insert(Contract.self, key: 1)
                try contract.set(\Contract.studio, to: context.insert(Studio(1, "a")))
                try contract.set(\Contract.holder, to: context.insert(Artist(1)))
            }
            try expectEqual(
                try await client.findAll(Contract.self),
                [Contract(1, Studio(1, "a"), holder: 1)]
            )
            let error = try await expectError(.constraintViolation) {
                try await client.write { _ = try $0.entities.insert(Contract.self, key: 2) }
            }
            try expectEqual(error.field, "studio")
        },
    ]

    private static let deleting: [ConformanceCase] = [
        promise(.entities, "what holds a deleted entity follows its delete rule") { client in
            try await client.insert(Contract(1, Studio(1, "a")))
            try await client.insert([
                Artist(2, studio: Studio(2, "b"), skills: [Skill("x"), Skill("y")]),
                Artist(3, studio: Studio(2, "b")),
            ])
            try await client.insert(Contract(4, Studio(4, "d"), holder: 3))
            let error = try await expectError(.deletionDenied) {
                try await client.write { transaction in
                    let context = try transaction.entities
                    try context.delete(
                        EntityCases.required(context.find(Studio.self, key: 1))
                    )
                }
            }
            try expectEqual(error.entity, "Contract")
            try expectEqual(error.field, "studio")
            try await client.write { transaction in
                let context = try transaction.entities
                let artists = try context.fetch(Artist.all)
                let contract = try EntityCases.required(context.find(Contract.self, key: 4))
                let studio = try EntityCases.required(artists[0].entity(\Artist.studio))
                try expectEqual(try artists[0].entities(\Artist.skills).count, 2)
                try context.delete(studio)
                try context.delete(
                    EntityCases.required(context.find(Skill.self, key: "x"))
                )
                try expect(try artists[0].entity(\Artist.studio) == nil, "a deleted one is held")
                try expect(try artists[1].value(\Artist.studio) == nil, "a deleted one is held")
                try expectEqual(
                    try artists[0].entities(\Artist.skills).map { try $0.value(\Skill.code) },
                    ["y"]
                )
                try context.delete(artists[1])
                try context.flush()
                try expectErrorInside(.notFound) { _ = try contract.value(\Contract.id) }
                try expect(try context.find(Contract.self, key: 4) == nil, "it is found")
            }
            try expectEqual(
                try await client.findAll(Artist.self),
                [Artist(2, skills: [Skill("y")])]
            )
            try expectEqual(try await client.findAll(Contract.self).map(\.id), [1])
        },
        promise(.entities, "what denies a deletion may be deleted with it, in any order") {
            client in
            try await client.insert([Contract(1, Studio(1, "a")), Contract(2, Studio(2, "b"))])
            try await client.write { transaction in
                let context = try transaction.entities
                for contract in try context.fetch(Contract.all) {
                    let studio = try contract.entity(\Contract.studio)
                    let isFirst = try contract.value(\Contract.id) == 1
                    for entity in isFirst ? [contract, studio] : [studio, contract] {
                        try context.delete(entity)
                    }
                }
            }
            try expectEqual(try await client.count(Contract.all), 0)
            try expectEqual(try await client.count(Studio.all), 0)
        },
        promise(.entities, "a rule holds for what entities wrote in the same transaction") {
            client in
            try await client.insert(Studio(1, "a"))
            try await expectError(.deletionDenied) {
                try await client.write { transaction in
                    // The transaction has read which relationships there are.
                    try transaction.delete(Studio.self, key: 7)
                    let context = try transaction.entities
                    let contract = try context.insert(Contract.self, key: 1)
                    let studio = try EntityCases.required(context.find(Studio.self, key: 1))
                    try contract.set(\Contract.studio, to: studio)
                    try transaction.delete(Studio.self, key: 1)
                }
            }
            try expectEqual(try await client.count(Studio.all), 1)
        },
    ]

    private static let refusals: [ConformanceCase] = [
        promise(.entities, "an entity cannot hold what is not its to hold") { client in
            try await client.insert([Artist(1), Artist(2)])
            try await client.insert(Studio(1, "a"))
            let kept = Kept<ManagedEntity>()
            try await client.write { transaction in
                kept.keep(try EntityCases.required(transaction.entities.find(Studio.self, key: 1)))
            }
            try await client.write { transaction in
                let context = try transaction.entities
                let artist = try EntityCases.required(context.find(Artist.self, key: 1))
                let other = try EntityCases.required(context.find(Artist.self, key: 2))
                let stranger = try kept.get()
                let error = try expectErrorInside(.invalidRequest) {
                    try artist.set(\Artist.studio, to: stranger)
                }
                try expectEqual(error.entity, "Artist")
                try expectEqual(error.field, "studio")
                try expectErrorInside(.invalidRequest) {
                    try artist.set(\Artist.skills, to: [stranger])
                }
                try expectErrorInside(.invalidRequest) { try artist.set(\Artist.studio, to: other) }
                try expectErrorInside(.invalidRequest) { _ = try artist.entity(\Contract.studio) }
                let studio = try EntityCases.required(context.find(Studio.self, key: 1))
                try context.delete(studio)
                try expectErrorInside(.notFound) { try artist.set(\Artist.studio, to: studio) }
                try expectEqual(artist.changedFields, [])
            }
        },
        promise(.entities, "an entity of another client's open transaction is refused") { client in
            let other = InMemoryDBClient()
            try await client.insert([Artist(1), Artist(2)])
            try await client.insert([Studio(1, "a"), Studio(2, "b")])
            try await other.insert(Artist(1, studio: Studio(1, "other"), skills: [Skill("x")]))
            try await client.write { transaction in
                let context = try transaction.entities
                let artist = try EntityCases.required(context.find(Artist.self, key: 1))
                try other.blocking.write { transaction in
                    let others = try transaction.entities
                    let stranger = try EntityCases.required(others.find(Artist.self, key: 1))
                    let studio = try EntityCases.required(stranger.entity(\Artist.studio))
                    let skills = try stranger.entities(\Artist.skills)
                    let sets: [(field: String?, () throws -> Void)] = [
                        ("studio", { try artist.set(\Artist.studio, to: studio) }),
                        ("mentor", { try artist.set(\Artist.mentor, to: stranger) }),
                        ("skills", { try artist.set(\Artist.skills, to: skills) }),
                        ("friends", { try artist.set(\Artist.friends, to: [artist, stranger]) }),
                        ("mentor", { try stranger.set(\Artist.mentor, to: artist) }),
                        (nil, { try context.delete(stranger) }),
                        (nil, { try context.refresh(stranger) }),
                    ]
                    for (field, set) in sets {
                        let error = try expectErrorInside(.invalidRequest, set)
                        try expectEqual(error.entity, "Artist")
                        try expectEqual(error.field, field)
                    }
                    try expect(!others.hasChanges, "the other context has changes")
                    try stranger.set(\Artist.name, to: "its own")
                }
                try expect(!context.hasChanges, "a refused change is kept")
                try artist.set(\Artist.mentor, to: Reference(2))
            }
            try expectEqual(
                try await client.findAll(Artist.self),
                [Artist(1, mentor: 2), Artist(2)]
            )
            try expectEqual(try await client.count(Studio.all), 2)
            try expectEqual(
                try await other.findAll(Artist.self),
                [Artist(1, "its own", studio: Studio(1, "other"), skills: [Skill("x")])]
            )
            try other.close()
        },
        promise(.entities, "a key that names nothing is refused when it is written") { client in
            try await client.insert(Artist(1))
            let changes: [@Sendable (ManagedEntity) throws -> Void] = [
                { try $0.set(\Artist.mentor, to: Reference(7)) },
                { try $0.set(\Artist.friends, to: [7]) },
                { try $0.set("studio", to: 7) },
            ]
            for (change, field) in zip(changes, ["mentor", "friends", "studio"]) {
                let error = try await expectError(.danglingReference) {
                    try await client.write { transaction in
                        let context = try transaction.entities
                        try context.insert(Studio(5, "x"))
                        try change(EntityCases.required(context.find(Artist.self, key: 1)))
                    }
                }
                try expectEqual(error.entity, "Artist")
                try expectEqual(error.field, field)
            }
            try await client.write { transaction in
                let context = try transaction.entities
                try EntityCases.required(context.find(Artist.self, key: 1))
                    .set(\Artist.rival, to: Reference(7))
            }
            try expectEqual(try await client.findAll(Artist.self), [Artist(1, rival: 7)])
            try expectEqual(try await client.count(Studio.all), 0)
        },
        promise(.entities, "the rule holds for a new entity that is held and deleted at once") {
            client in
            try await client.insert(Artist(1))
            try await client.write { transaction in
                let context = try transaction.entities
                let artist = try EntityCases.required(context.find(Artist.self, key: 1))
                let studio = try context.insert(Studio(1, "a"))
                try artist.set(\Artist.studio, to: studio)
                try artist.set(\Artist.skills, to: [Skill("x"), Skill("y")])
                try context.delete(studio)
                try context.delete(artist.entities(\Artist.skills)[0])
                try expect(try artist.entity(\Artist.studio) == nil, "a deleted one is held")
            }
            try expectEqual(
                try await client.findAll(Artist.self),
                [Artist(1, skills: [Skill("y")])]
            )
            try await expectError(.deletionDenied) {
                try await client.write { transaction in
                    let context = try transaction.entities
                    let studio = try context.insert(Studio(1, "a"))
                    try context.insert(Contract.self, key: 1).set(\Contract.studio, to: studio)
                    try context.delete(studio)
                }
            }
            try expectEqual(try await client.count(Studio.all), 0)
        },
        promise(.entities, "a read transaction changes nothing that is held") { client in
            try await client.insert(Artist(1, studio: Studio(1, "a")))
            try await client.read { transaction in
                let context = try transaction.entities
                let artist = try EntityCases.required(context.find(Artist.self, key: 1))
                try expectErrorInside(.readOnly) { try artist.set(\Artist.studio, to: nil) }
                try expectErrorInside(.readOnly) { try artist.set(\Artist.skills, to: []) }
                try expectErrorInside(.readOnly) {
                    try artist.set(\Artist.mentor, to: Reference(1))
                }
                try expectErrorInside(.readOnly) {
                    try artist.set(\Artist.studio, to: artist.entity(\Artist.studio))
                }
            }
        },
    ]
}
