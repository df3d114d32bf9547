import DBClientTesting
import Testing

@testable import DBClientCore

/// What change sets are turned into for views, checked on made-up changes of real observations.
struct HelperTests {
    /// Observes probes sorted by their text and calls a body with each of many random changes.
    private func eachChange(
        _ seed: UInt64,
        _ body: (ChangeSet<Probe>) throws -> Void
    ) async throws {
        let client = InMemoryDBClient()
        var generator = SeededGenerator(seed: seed)
        var iterator = client.observe(Probe.all.sorted { [$0.text, $0.real] }).makeAsyncIterator()
        _ = try await iterator.next()
        for _ in 0..<60 {
            var probes: [Probe] = []
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                let row = Sample.row(.random(in: 0..<12, using: &generator), using: &generator)
                probes.append(try Sample.probe(row))
            }
            let deleted = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                Int.random(in: 0..<12, using: &generator)
            }
            let before = try await client.findAll(Probe.self)
            let changed = probes
            try await client.write { transaction in
                try transaction.delete(Probe.self, keys: deleted)
                try transaction.upsert(changed)
            }
            if try await client.findAll(Probe.self) == before { continue }
            guard case .update(let changes)? = try await iterator.next() else {
                Testing.Issue.record("no update came")
                return
            }
            try body(changes)
        }
    }

    @Test(
        "A difference leads from the former values to the present ones",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func difference(_ seed: UInt64) async throws {
        try await eachChange(seed) { changes in
            #expect(Array(changes.previous).applying(changes.difference) == Array(changes.objects))
        }
    }

    @Test(
        "Changes replayed one by one lead to the present values",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func application(_ seed: UInt64) async throws {
        try await eachChange(seed) { changes in
            var values = Array(changes.previous)
            changes.apply(to: &values)
            #expect(values == Array(changes.objects))
        }
    }

    @Test(
        "A batch names each row once and leads to the present keys",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func batch(_ seed: UInt64) async throws {
        try await eachChange(seed) { changes in
            let batch = changes.batchUpdates
            let gone = batch.deletions + batch.moves.map(\.from)
            let come = batch.insertions + batch.moves.map(\.to)
            #expect(Set(gone).count == gone.count)
            #expect(Set(come).count == come.count)
            var keys = changes.previous.map(\.primaryKey)
            let moved = batch.moves.map { ($0.to, keys[$0.from]) }
            for index in gone.sorted(by: >) { keys.remove(at: index) }
            let inserted = batch.insertions.map { ($0, changes.objects[$0].primaryKey) }
            for (index, key) in (inserted + moved).sorted(by: { $0.0 < $1.0 }) {
                keys.insert(key, at: index)
            }
            #expect(keys == changes.objects.map(\.primaryKey))
        }
    }

    @Test("Sections come, go and change as told", arguments: 1...10 as ClosedRange<UInt64>)
    func sections(_ seed: UInt64) async throws {
        try await eachChange(seed) { changes in
            let sectioned = changes.sectioned { $0.text }
            #expect(sectioned.sections.flatMap { $0.map(\.text) }.count == changes.objects.count)
            #expect(
                sectioned.sections.allSatisfy { section in
                    section.allSatisfy { $0.text == section.key }
                }
            )
            let copy = replay(sectioned)
            #expect(copy.map(\.key) == sectioned.sections.map(\.key))
            #expect(copy.map(\.values) == sectioned.sections.map { Array($0) })
        }
    }

    @Test("A value changes its section although the fields of the key are not observed")
    func sectionsOfOtherFields() async throws {
        let client = InMemoryDBClient()
        var generator = SeededGenerator(seed: 1)
        let probes = try (0..<6).map { try Sample.probe(Sample.row($0, using: &generator)) }
        try await client.insert(probes)
        try await client.write { transaction in
            for key in 0..<6 {
                try transaction.update(Probe.self, key: key) { values in
                    values.set(\.integer, to: key / 3)
                    values.set(\.real, to: 0)
                }
            }
        }
        var iterator = client.observe(Probe.all, fields: \.real).makeAsyncIterator()
        _ = try await iterator.next()
        // Alone it is not told.
        try await client.update(Probe.self, key: 0) { $0.set(\.integer, to: 1) }
        try await client.write { transaction in
            try transaction.update(Probe.self, key: 2) { $0.set(\.integer, to: 5) }
            try transaction.update(Probe.self, key: 4) { $0.set(\.real, to: 3) }
            try transaction.delete(Probe.self, key: 3)
        }
        guard case .update(let changes)? = try await iterator.next() else {
            Testing.Issue.record("no update came")
            return
        }
        #expect(changes.modifications.map(\.new) == [3])
        let sectioned = changes.sectioned { $0.integer }
        #expect(sectioned.sections.map(\.key) == [1, 0, 5])
        let copy = replay(sectioned)
        #expect(copy.map(\.key) == sectioned.sections.map(\.key))
        #expect(
            copy.map { $0.values.map(\.identifier) }
                == sectioned.sections.map { $0.map(\.identifier) }
        )
    }

    /// Makes the present sections of the former ones as a view would.
    private func replay<Key: Hashable & Sendable>(
        _ sectioned: SectionedChangeSet<Key, Probe>
    ) -> [(key: Key, values: [Probe])] {
        var copy = sectioned.previous.map { (key: $0.key, values: Array($0)) }
        for place in sectioned.deletions.reversed() {
            copy[place.section].values.remove(at: place.item)
        }
        for index in sectioned.deletedSections.reversed() { copy.remove(at: index) }
        for index in sectioned.insertedSections {
            let section = sectioned.sections[index]
            copy.insert((section.key, Array(section)), at: index)
        }
        for place in sectioned.insertions {
            let element = sectioned.sections[place.section][place.item]
            copy[place.section].values.insert(element, at: place.item)
        }
        for place in sectioned.modifications {
            copy[place.section].values[place.item] =
                sectioned.sections[place.section][place.item]
        }
        return copy
    }
}
