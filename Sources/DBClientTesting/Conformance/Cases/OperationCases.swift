import DBClientCore
import Synchronization

/// Operations that are built as values and run in a transaction.
enum OperationCases {
    static let all: [ConformanceCase] = modes + failures + operators

    private static let modes: [ConformanceCase] = [
        promise(
            .operations,
            "a composition of reads sees one snapshot",
            requires: [.concurrentReads]
        ) { client in
            try await client.insert((1...3).map { Hero($0) })
            let next = Atomic(4)
            let read = ReadOperation.count(Hero.all)
                .map { before in
                    // On another thread, where it joins no transaction of this one.
                    try beside {
                        let key = next.add(1, ordering: .relaxed).oldValue
                        try client.blocking.insert(Hero(key))
                    }
                    return before
                }
                .zip(.findAll(Hero.self))
            let (count, heroes) = try await client.run(read)
            try expectEqual(count, 3)
            try expectEqual(heroes.map(\.id), [1, 2, 3])
            try expectEqual(try client.blocking.run(read).1.map(\.id), [1, 2, 3, 4])
            try expectEqual(try await client.count(Hero.all), 5)
        },
        promise(.operations, "a composition with a write is one unit that sees its own writes") {
            client in
            let write = WriteOperation.insert([Hero(1), Hero(2)])
                .flatMap { _ in ReadOperation.count(Hero.all) }
                .flatMap { count in WriteOperation.insert(Hero(count + 1)).map { $0.id } }
            try expectEqual(try await client.run(write), 3)
            try expectEqual(try await client.count(Hero.all), 3)
        },
        promise(.operations, "an operation can be run again, blocking and in a transaction") {
            client in
            let next = ReadOperation.max(\.id, of: Hero.all)
                .flatMap { .insert(Hero(($0 ?? 0) + 1)) }
            try await client.run(next)
            try client.blocking.run(next)
            try await client.write { transaction in
                try transaction.run(next)
                try transaction.run(next)
                return ()
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [1, 2, 3, 4])
        },
        promise(.operations, "a mode known only at run time") { client in
            for isWrite in [false, true] {
                let operation =
                    isWrite
                    ? AnyOperation(WriteOperation.insert(Hero(1)).map { $0.id })
                    : AnyOperation(ReadOperation.count(Hero.all))
                try expectEqual(operation.isWrite, isWrite)
                try expectEqual(try await client.run(operation.map { $0 * 10 }), isWrite ? 10 : 0)
            }
            let either = AnyOperation(ReadOperation.count(Hero.all)).flatMap { count in
                AnyOperation(WriteOperation.insert(Hero(count + 1)))
            }
            try expectEqual(try await client.run(either).id, 2)
            let counted = AnyOperation(WriteOperation.insert(Hero(3)))
                .flatMap { _ in ReadOperation.count(Hero.all) }
            try expect(counted.isWrite, "a write followed by a read is a read")
            try expectEqual(try client.blocking.run(counted), 3)
        },
        promise(.operations, "the transaction can be asked for, and ends with the operation") {
            client in
            let kept = Kept<ReadTransaction>()
            let count = ReadOperation<ReadTransaction>.ask.map { transaction in
                kept.keep(transaction)
                return try transaction.count(Hero.all)
            }
            try expectEqual(try await client.run(count), 0)
            let transaction = try kept.get()
            try expectErrorInside(.transactionEnded) { _ = try transaction.count(Hero.all) }
            try expectErrorInside(.transactionEnded) {
                _ = try transaction.run(.find(Hero.self, key: 1))
            }
            let insert = WriteOperation<WriteTransaction>.ask.map { try $0.insert(Hero(1)) }
            try await client.run(insert)
            try expectEqual(try await client.count(Hero.all), 1)
        },
        promise(.operations, "a chain of ten thousand steps is one transaction") { client in
            var chain = WriteOperation.insert(Hero(0)).map { $0.id }
            for _ in 0..<10_000 { chain = chain.flatMap { .value($0 + 1) } }
            try expectEqual(try await client.run(chain), 10_000)
            let failing = chain.flatMap { _ in WriteOperation.insert(Hero(0)) }
            try await client.deleteAll(Hero.self)
            try await expectError(.duplicateKey) { try await client.run(failing) }
            try expectEqual(try await client.count(Hero.all), 0)
        },
    ]

    private static let failures: [ConformanceCase] = [
        promise(.operations, "a throw anywhere undoes the whole composition") { client in
            try await client.insert(Hero(1))
            let insert = WriteOperation.insert([Hero(2), Hero(3)])
            let failing: [WriteOperation<Int>] = [
                insert.flatMap { _ in WriteOperation<Int>.fail(SuiteError.deliberate) },
                insert.map { _ in throw SuiteError.deliberate },
                insert.flatMap { _ -> WriteOperation<Int> in throw SuiteError.deliberate },
                insert.zip(WriteOperation<Int>.fail(SuiteError.deliberate)).map { $1 },
                WriteOperation<[Int]>.traverse([4, 1]) { _ in .fail(SuiteError.deliberate) }
                    .map { $0.count },
            ]
            for operation in failing {
                do {
                    try await client.run(operation)
                    throw ConformanceFailure("nothing was thrown")
                } catch SuiteError.deliberate {}
                try expectEqual(try await client.findAll(Hero.self).map(\.id), [1])
            }
        },
        promise(
            .operations,
            "what is recovered from is undone, what ran before stays",
            requires: [.savepoints]
        ) { client in
            let failing = WriteOperation.insert([Hero(2), Hero(3)])
                .flatMap { _ in WriteOperation.insert([Hero(1)]) }
                .recover { error in
                    guard (error as? DBClientError)?.code == .duplicateKey else {
                        return .fail(error)
                    }
                    return .insert([Hero(9)])
                }
            let all = WriteOperation.insert(Hero(1)).flatMap { _ in failing }
                .flatMap { _ in WriteOperation.insert(Hero(10)) }
            try await client.run(all)
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [1, 9, 10])
        },
        promise(
            .operations,
            "a savepoint undoes its own part and lets the error go on",
            requires: [.savepoints]
        ) { client in
            try await client.write { transaction in
                try transaction.insert(Hero(1))
                let part = WriteOperation.insert(Hero(2))
                    .flatMap { _ in WriteOperation<Void>.fail(SuiteError.deliberate) }
                do {
                    try transaction.run(part.savepoint())
                    throw ConformanceFailure("nothing was thrown")
                } catch SuiteError.deliberate {}
                try transaction.insert(Hero(3))
            }
            try expectEqual(try await client.findAll(Hero.self).map(\.id), [1, 3])
        },
        promise(.operations, "a read that fails is recovered from with a read or a write") {
            client in
            let failing = ReadOperation<Int>.fail(SuiteError.deliberate)
            try expectEqual(try await client.run(failing.recover { _ in .count(Hero.all) }), 0)
            let written = failing.recover { _ in WriteOperation.insert(Hero(7)).map { $0.id } }
            try expectEqual(try await client.run(written), 7)
        },
    ]

    private static let operators: [ConformanceCase] = [
        promise(.operations, "each read has an operation that does the same") { client in
            let heroes = (1...4).map { Hero($0, publisherId: $0 % 2, power: Double($0)) }
            try await client.insert(heroes)
            let odd = Hero.where { $0.publisherId == 1 }
            try expectEqual(try await client.run(.find(Hero.self, key: 2)), heroes[1])
            try expectEqual(
                try await client.run(.find(Hero.self, keys: [3, 9, 1])).map(\.id),
                [3, 1]
            )
            try expectEqual(try await client.run(.findAll(Hero.self)), heroes)
            try expectEqual(try await client.run(.fetch(odd)).map(\.id), [1, 3])
            try expectEqual(try await client.run(.fetchOne(odd))?.id, 1)
            try expectEqual(try await client.run(.count(odd)), 2)
            try expectEqual(try await client.run(.exists(odd)), true)
            try expectEqual(try await client.run(.exists(Hero.self, key: 9)), false)
            try expectEqual(
                try await client.run(.reduce(Hero.all, into: 0) { $0 += $1.id }),
                10
            )
            try expect(try await !client.run(.explain(odd)).isEmpty, "an empty plan")
            try expectEqual(try await client.run(.findKey(of: Hero.self) { $0.id == 3 }), 3)
            try await expectError(.invalidRequest) {
                _ = try await client.run(.findKey(of: Hero.self) { $0.id > 1 })
            }
        },
        promise(.operations, "what references name is loaded by an operation") { client in
            let friends = [Artist(1, "a"), Artist(2, "b", mentor: 1, friends: [2, 1])]
            try await client.insert(friends)
            let found = ReadOperation.find(Artist.self, key: 2).flatMap { artist in
                .load(artist?.mentor)
            }
            try expectEqual(try await client.run(found)?.name, "a")
            try expectEqual(try client.blocking.run(.load(Reference<Artist>(2))), friends[1])
            try expectEqual(try await client.run(.load(friends[0].mentor)), nil)
            try expectEqual(try await client.run(.load(friends[1].friends)).map(\.id), [2, 1])
        },
        promise(
            .operations,
            "each call by stored names has an operation that does the same",
            requires: [.aggregates]
        ) { client in
            let entity = Hero.schema.entity
            let all = DynamicRequest(entity)
            try await client.insert((1...3).map { Hero($0, power: Double($0)) })
            let rows = try await client.run(.fetch(all))
            try expectEqual(rows.map { $0["id"] }, [1, 2, 3])
            try expectEqual(try await client.run(.find(entity, key: [2])), rows[1])
            try expectEqual(try await client.run(.count(all.limit(2))), 2)
            let names = ReadOperation<[DynamicValue?]>.reduce(all, into: []) {
                $0.append($1["name"])
            }
            try expectEqual(try await client.run(names), ["Hero 1", "Hero 2", "Hero 3"])
            try expectEqual(try await client.run(.aggregate(.sum, "power", of: all)), 6.0)
            try expectEqual(try await client.run(.distinct("isActive", of: all)), [true])
            try expectEqual(try await client.run(.delete(entity, key: [1])), true)
            try expectEqual(try await client.run(.insert([rows[0]])), [rows[0]])
            try await client.run(.update([rows[1]]))
            let upserted = try await client.run(.upsert(rows))
            try expectEqual([upserted.inserted, upserted.updated], [0, 3])
            try await client.run(.update(entity, key: [1], set: ["bio": "x"]))
            try expectEqual(try await client.run(.update(all.limit(2), set: ["bio": "y"])), 2)
            try expectEqual(try await client.findAll(Hero.self).map(\.bio), ["y", "y", nil])
            try expectEqual(try client.blocking.run(.delete(all)), 3)
        },
        promise(
            .operations,
            "each function over a field has an operation that does the same",
            requires: [.aggregates]
        ) { client in
            try await client.insert(
                (1...4).map { Hero($0, publisherId: $0 % 2, power: Double($0)) }
            )
            let odd = Hero.where { $0.publisherId == 1 }
            try expectEqual(try await client.run(.sum(\.power, of: odd)), 4)
            try expectEqual(try await client.run(.sum(\.publisherId, of: odd)), 2)
            try expectEqual(try await client.run(.min(\.power, of: Hero.all)), 1)
            try expectEqual(try await client.run(.max(\.publisherId, of: Hero.all)), 1)
            try expectEqual(try await client.run(.average(\.power, of: odd)), 2)
            try expectEqual(try await client.run(.distinct(\.publisherId, of: Hero.all)), [0, 1])
            try expectEqual(
                try await client.run(.aggregate(.maximum, \.name, of: odd)),
                .text("Hero 3")
            )
            try await client.insert([
                Artist(1, studio: Studio(1, "a", founded: 1939)),
                Artist(2, studio: Studio(2, "b", founded: 1961)),
            ])
            let founded = ReadOperation.aggregate(.minimum, of: Artist.all) { $0.studio.founded }
            try expectEqual(try await client.run(founded), .integer(1939))
        },
        promise(.operations, "each write has an operation that does the same") { client in
            let heroes = (1...3).map { Hero($0) }
            try expectEqual(try await client.run(.insert(heroes)), heroes)
            try expectEqual(try await client.run(.insert(Hero(4))), Hero(4))
            try await client.run(.update(Hero(1, "a")))
            try await client.run(.update([Hero(2, "b"), Hero(3, "c")]))
            try await expectError(.notFound) { try await client.run(.update(Hero(9))) }
            let existing = WriteOperation.updateExisting([Hero(4, "d"), Hero(9)])
            try expectEqual(try await client.run(existing).map(\.id), [4])
            try await client.run(.update(Hero.self, key: 1) { $0.set(\.realName, to: "A") })
            let named = WriteOperation.update(Hero.where { $0.id > 2 }) {
                $0.set(\.realName, to: "Z")
            }
            try expectEqual(try await client.run(named), 2)
            let each = WriteOperation.update(Hero.self, keys: [1, 2]) {
                $0.set(\.bio, to: "bio \($1)")
            }
            try await client.run(each)
            let found = try await client.findAll(Hero.self)
            try expectEqual(found.map(\.name), ["a", "b", "c", "d"])
            try expectEqual(found.map(\.realName), ["A", "", "Z", "Z"])
            try expectEqual(found.map(\.bio), ["bio 1", "bio 2", nil, nil])
            let upserted = try await client.run(.upsert([Hero(4), Hero(5)]))
            try expectEqual(upserted.inserted.map(\.id), [5])
            try expectEqual(upserted.updated.map(\.id), [4])
            try expectEqual(try await client.run(.upsert(Hero(6))).isUpdated, false)
            try expectEqual(try await client.run(.delete(Hero.self, key: 6)), true)
            try expectEqual(try await client.run(.delete(Hero.self, keys: [5, 6])), 1)
            try expectEqual(try await client.run(.delete(Hero(4))), true)
            try expectEqual(try await client.run(.delete([Hero(3), Hero(4)])), 1)
            try expectEqual(try await client.run(.delete(Hero.where { $0.id == 2 })), 1)
            try expectEqual(try await client.run(.deleteAll(Hero.self)), 1)
        },
        promise(.operations, "a modification reads, changes and stores") { client in
            try await client.insert((1...3).map { Hero($0) })
            let modified = try await client.run(.modify(Hero.self, key: 2) { $0.name += "!" })
            try expectEqual(modified.name, "Hero 2!")
            let many = WriteOperation.modify(Hero.where { $0.id > 1 }) { $0.power += 1 }
            try expectEqual(try await client.run(many).map(\.power), [1, 1])
            let chained = WriteOperation.insert(Hero(4)).modify { $0.power = 4 }
            try expectEqual(try await client.run(chained).power, 4)
            try expectEqual(try await client.findAll(Hero.self).map(\.power), [0, 1, 1, 4])
            try expectEqual(try await client.find(Hero.self, key: 2)?.name, "Hero 2!")
            try await expectError(.notFound) {
                _ = try await client.run(.modify(Hero.self, key: 9) { $0.power = 0 })
            }
            let stronger = try await client.modify(Hero.self, key: 4) { $0.power *= 2 }
            try expectEqual(stronger.power, 8)
            try expectEqual(
                try client.blocking.modify(Hero.where { $0.id > 2 }) { $0.power += 1 }.map(\.power),
                [2, 9]
            )
            try expectEqual(try await client.find(Hero.self, key: 4)?.power, 9)
            try await client.modify(Hero.self, key: 4) { $0.power = 4 }
            let moved = WriteOperation.modify(Hero.where { $0.id == 1 }) { $0 = Hero(9) }
            try await expectError(.invalidRequest) { try await client.run(moved) }
            // Equal texts in Swift, and two keys of a store.
            try await client.insert([TextKeyed("\u{E9}", "one"), TextKeyed("e\u{301}", "two")])
            let respelled = WriteOperation.modify(TextKeyed.self, key: "\u{E9}") {
                $0 = TextKeyed("e\u{301}", $0.note)
            }
            try await expectError(.invalidRequest) { try await client.run(respelled) }
            try expectEqual(
                try await client.find(TextKeyed.self, key: "e\u{301}")?.note,
                "two"
            )
        },
    ]
}
