import DBClientTestSupport
import Testing

@testable import DBClientCore

/// A table of ordered bytes in an array.
private final class ArrayCursor: SearchCursor {
    /// The entries by their keys.
    final class Table {
        var entries: [(key: [UInt8], value: [UInt8])] = []
    }

    let table: Table
    private var index: Int?

    init(_ table: Table) { self.table = table }

    private func lowerBound(_ key: [UInt8]) -> Int {
        var low = 0
        var high = table.entries.count
        while low < high {
            let middle = (low + high) / 2
            if table.entries[middle].key.lexicographicallyPrecedes(key) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    func seek(_ key: [UInt8]) throws -> Bool { move(to: lowerBound(key)) }

    private func move(to place: Int) -> Bool {
        index = table.entries.indices.contains(place) ? place : nil
        copyCurrent()
        return index != nil
    }

    func next() throws -> Bool { move(to: index.map { $0 + 1 } ?? -1) }
    func previous() throws -> Bool { move(to: index.map { $0 - 1 } ?? -1) }

    private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 8)
    private(set) var key = UnsafeRawBufferPointer(start: nil, count: 0)
    private(set) var value = UnsafeRawBufferPointer(start: nil, count: 0)

    private func copyCurrent() {
        guard let index else { return }
        let (newKey, newValue) = table.entries[index]
        bytes.deallocate()
        bytes = .allocate(byteCount: newKey.count + newValue.count + 1, alignment: 8)
        bytes.copyBytes(from: newKey + newValue)
        key = UnsafeRawBufferPointer(rebasing: bytes[..<newKey.count])
        value = UnsafeRawBufferPointer(
            rebasing: bytes[newKey.count..<newKey.count + newValue.count]
        )
    }

    deinit { bytes.deallocate() }

    func put(_ key: [UInt8], _ value: [UInt8]) throws {
        let place = lowerBound(key)
        if place < table.entries.count, table.entries[place].key == key {
            table.entries[place].value = value
        } else {
            table.entries.insert((key, value), at: place)
        }
        index = nil
    }

    func remove(_ key: [UInt8]) throws {
        let place = lowerBound(key)
        if place < table.entries.count, table.entries[place].key == key {
            table.entries.remove(at: place)
        }
        index = nil
    }
}

/// The texts of a value.
private final class Texts {
    let fields: [String?]
    let slots: [Slot]
    private let memory: [UnsafeMutableRawBufferPointer]

    init(_ fields: [String?]) {
        self.fields = fields
        var memory: [UnsafeMutableRawBufferPointer] = []
        slots = fields.map { text in
            guard let text else { return .null }
            let bytes = UnsafeMutableRawBufferPointer.allocate(
                byteCount: text.utf8.count + 1,
                alignment: 1
            )
            bytes.copyBytes(from: text.utf8)
            memory.append(bytes)
            return .text(UnsafeRawBufferPointer(rebasing: bytes[..<text.utf8.count]))
        }
        self.memory = memory
    }

    deinit { for bytes in memory { bytes.deallocate() } }
}

@Suite("The index of a search")
struct SearchIndexTests {
    private static let words = [
        "iron", "iron", "iron", "man", "man", "irons", "ironmonger", "steel", "ma", "m", "brass",
        "x", "y", "z", String(repeating: "long", count: 49), String(repeating: "long", count: 60),
        String(repeating: "long", count: 60) + "er",
    ]

    private static let queries = [
        "iron", "iron man", "iron -man", "iron OR brass", "ir*", "m* -steel", "\"iron man\"",
        "\"iron ma*\"", "\"man iron\"~2", "\"iron iron\"~1", "title:iron", "body:\"iron man\"",
        "title:m* OR (steel -x)", "(iron OR x) (man OR y) -z", "iron OR (steel -\"x y\")",
        "nothing",
        "x y z", "\"m m\"~0", "-(-iron)", "(-iron OR x) man", "iron iron", "lo*",
        String(repeating: "long", count: 49),
    ]

    private let table = ArrayCursor.Table()

    private func texts(_ random: RandomSource, _ fieldCount: Int) -> Texts {
        Texts(
            (0..<fieldCount).map { _ in
                if random.chance(10) { return nil }
                let count = random.chance(2) ? 400 : random.below(9)
                return (0..<count).map { _ in Self.words[random.below(Self.words.count)] }
                    .joined(separator: " ")
            }
        )
    }

    /// Compares what the index tells of each query with what the texts do, scores bit by bit.
    private func check(_ values: [UInt64: Texts], _ names: [String]) throws {
        for text in Self.queries {
            var plan = try SearchQuery(text).plan(
                searching: names,
                weights: names.indices.map { 1 + 0.3 * Double($0) },
                of: "Value"
            )
            let unranked = SearchProgram(plan)
            var figures = SearchFigures(terms: unranked.scoredTerms.count)
            for texts in values.values {
                unranked.add(unranked.find(in: texts.slots), to: &figures)
            }
            let reader = try #require(SearchIndexReader(unranked) { ArrayCursor(table) })
            #expect(try reader.figures() == figures, "\(text)")
            plan.figures = figures
            let program = SearchProgram(plan)
            var expected: [UInt64: Double] = [:]
            for (document, texts) in values {
                let found = program.find(in: texts.slots)
                if program.holds(found) { expected[document] = program.score(found) }
            }
            var found: [UInt64: Double] = [:]
            var last: UInt64?
            try reader.score(SearchRank(figures)) { document, score in
                #expect(last.map { $0 < document } ?? true)
                last = document
                found[document] = score
            }
            if try reader.makeWalk() == nil { continue }
            #expect(found == expected, "\(text)")
        }
    }

    @Test("An index that was changed bit by bit tells what the texts do", arguments: [1, 3])
    func changes(fieldCount: Int) throws {
        let random = RandomSource(seed: UInt64(fieldCount))
        let names = Array(["title", "body", "note"].prefix(fieldCount))
        var values: [UInt64: Texts] = [:]
        let changes = SearchChanges(fieldCount: fieldCount)
        for round in 0..<12 {
            for _ in 0..<(round % 4 == 0 ? 300 : 1 + random.below(20)) {
                let document: UInt64 =
                    switch random.below(20) {
                    case 0: UInt64(random.below(3))
                    case 1: .max - UInt64(random.below(3))
                    case 2: 1 << 63 - UInt64(random.below(50))
                    default: 1 << 63 + UInt64(random.below(round * 40 + 10))
                    }
                let new = texts(random, fieldCount)
                if let old = values[document] {
                    if random.chance(40) {
                        changes.remove(document, old.slots)
                        values[document] = nil
                    } else {
                        changes.replace(document, old.slots, with: new.slots)
                        values[document] = new
                    }
                } else {
                    changes.add(document, new.slots)
                    values[document] = new
                }
            }
            try changes.write(to: ArrayCursor(table))
            #expect(changes.isEmpty)
            if round % 6 == 5 { try check(values, names) }
        }
        // What is left is what a new index of the values has, but for how it is divided into blocks.
        var entries = SearchIndexEntries(fieldCount: fieldCount, hasNumbers: false)
        for (key, value) in table.entries {
            try key.withUnsafeBytes { key in
                try value.withUnsafeBytes { try entries.take(key, $0) }
            }
        }
        var sum = SearchIndexSum()
        for (document, texts) in values {
            withUnsafeBytes(of: document) { sum.add($0, texts.slots, by: changes) }
        }
        #expect(entries.sum == sum)
        for (document, texts) in values { changes.remove(document, texts.slots) }
        try changes.write(to: ArrayCursor(table))
        #expect(table.entries.map(\.key) == [SearchIndexKey.figures])
        #expect(table.entries[0].value == SearchIndexFigures().bytes)
    }

    @Test("A damaged index is an error, or tells something else, and never ends the process")
    func damage() throws {
        let random = RandomSource(seed: 7)
        let changes = SearchChanges(fieldCount: 2)
        var values: [(UInt64, Texts)] = []
        for index in 0..<400 {
            values.append((1 << 63 + UInt64(index * 3), texts(random, 2)))
            changes.add(values[index].0, values[index].1.slots)
        }
        try changes.write(to: ArrayCursor(table))
        let sound = table.entries
        var failures = 0
        for round in 0..<250 {
            table.entries = sound
            for _ in 0...random.below(3) {
                let place = random.below(table.entries.count)
                var value = table.entries[place].value
                switch random.below(4) {
                case 0: value.removeLast(min(value.count, 1 + random.below(8)))
                case 1: value += (0...random.below(9)).map { _ in UInt8(random.below(256)) }
                default:
                    for _ in 0...random.below(4) where !value.isEmpty {
                        value[random.below(value.count)] = UInt8(random.below(256))
                    }
                }
                table.entries[place].value = value
                if random.chance(10) { table.entries.remove(at: random.below(table.entries.count)) }
            }
            do {
                let text = Self.queries[round % Self.queries.count]
                let plan = try SearchQuery(text).plan(
                    searching: ["title", "body"],
                    weights: [1, 2],
                    of: "Value"
                )
                let reader = SearchIndexReader(SearchProgram(plan)) { ArrayCursor(table) }
                if let figures = try reader?.figures() {
                    try reader?.score(SearchRank(figures)) { _, _ in }
                }
                for (document, texts) in values.prefix(40) {
                    changes.replace(document, texts.slots, with: Texts(["iron", "y z"]).slots)
                }
                changes.add(5, Texts(["iron man", nil]).slots)
                try changes.write(to: ArrayCursor(table))
            } catch let error as DBClientError {
                #expect(error.code == .corrupt)
                failures += 1
            }
        }
        #expect(failures > 40)
    }

    @Test("The version of an index is the same each time, and says what words depend on")
    func version() {
        #expect(SearchIndexVersion.current.hasPrefix("1-"))
        #expect(SearchIndexVersion.current.count > 10)
    }

    @Test("Values with one score come by their keys, and as many as are asked for are sorted")
    func ranking() throws {
        let random = RandomSource(seed: 3)
        var ranked = RankedDocuments { $0 > $1 }
        var expected: [(Double, UInt64)] = []
        for document in 0..<500 {
            let score = Double(random.below(20))
            ranked.append(UInt64(document), score)
            expected.append((score, UInt64(document)))
        }
        try ranked.sort()
        expected.sort { $0.0 != $1.0 ? $0.0 > $1.0 : $0.1 > $1.1 }
        for (_, document) in expected { #expect(try ranked.popFirst() == document) }
        #expect(try ranked.popFirst() == nil)
    }
}
