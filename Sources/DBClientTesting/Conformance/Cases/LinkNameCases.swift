import DBClientCore

/// To-many relationships that would be kept under one name.
enum LinkNameCases {
    static let all: [ConformanceCase] = [
        promise(.relationships, "two relationships are not kept under one name") { client in
            let shelf = Shelf(1, [Skill("a"), Skill("b")])
            try await client.insert(shelf)
            let error = try await expectError(.schemaMismatch) {
                try await client.insert(ShelfOf(1, [Skill("c")]))
            }
            try expectEqual(error.entity, "Shelf_of")
            try expectEqual(error.field, "skills")
            try expect(error.description.contains("\"of_skills\" of Shelf"), "\(error) names one")
            try await expectError(.schemaMismatch) { try await client.upsert([ShelfOf(1)]) }
            try expectEqual(try await client.count(ShelfOf.all), 0)
            try expectEqual(try await client.count(Skill.all), 2)
            try expectEqual(try await client.findAll(Shelf.self), [shelf])
            try await client.insert(Shelf(2, [Skill("b")]))
        },
        promise(.relationships, "two relationships are not kept under names of other case") {
            client in
            let shelf = ShelfOf(1, [Skill("a")])
            try await client.insert(shelf)
            let error = try await expectError(.schemaMismatch) {
                try await client.insert(CapitalShelf(1, [Skill("a")]))
            }
            try expectEqual(error.entity, "SHELF")
            try expectEqual(error.field, "OF_SKILLS")
            try expectEqual(try await client.findAll(ShelfOf.self), [shelf])
            try expectEqual(try await client.count(CapitalShelf.all), 0)
        },
        promise(.entities, "live rows are not kept among the links of a relationship") { client in
            let shelf = Shelf(1, [Skill("a"), Skill("b")])
            try await client.insert(shelf)
            let error = try await expectError(.schemaMismatch) {
                try await client.write { try $0.entities.insert(ShelfOf(1, [Skill("c")])) }
            }
            try expectEqual(error.entity, "Shelf_of")
            try await expectError(.schemaMismatch) {
                try await client.write { try $0.entities.insert(ShelfLink(1, 9, "mine")) }
            }
            try expectEqual(try await client.findAll(Shelf.self), [shelf])
            try expectEqual(try await client.count(ShelfOf.all), 0)
        },
        promise(.relationships, "a relationship is not kept among the values of a model") {
            client in
            try await client.insert(ShelfLink(1, 0, "mine"))
            let error = try await expectError(.schemaMismatch) {
                try await client.insert(Shelf(1, [Skill("a")]))
            }
            try expectEqual(error.entity, "Shelf")
            try expectEqual(error.field, "of_skills")
            try expectEqual(try await client.findAll(ShelfLink.self), [ShelfLink(1, 0, "mine")])
            try expectEqual(try await client.count(Shelf.all), 0)
        },
        promise(.relationships, "values of a model are not kept among what a relationship keeps") {
            client in
            let shelf = Shelf(1, [Skill("a"), Skill("b")])
            try await client.insert(shelf)
            let writes: [@Sendable (WriteTransaction) throws -> Void] = [
                { try $0.insert(ShelfLink(1, 9, "mine")) },
                { try $0.upsert([ShelfLink(1, 0, "mine")]) },
                { try $0.update(ShelfLink(1, 0, "mine")) },
                { try $0.update(ShelfLink.all) { $0.set(\.target, to: "mine") } },
                { try $0.deleteAll(ShelfLink.self) },
            ]
            for write in writes {
                let error = try await expectError(.schemaMismatch) { try await client.write(write) }
                try expectEqual(error.entity, "Shelf_of_skills")
                try expect(error.description.contains("\"of_skills\" of Shelf"), "\(error)")
            }
            try expectEqual(try await client.findAll(Shelf.self), [shelf])
        },
    ]
}
