import CLMDB
import DBClientTesting
import Testing

@testable import DBClientObjectStore

@Suite struct IndexEntriesTests {
    /// Around the number from which on entries are sorted without comparing them.
    @Test(arguments: [1, 2, 255, 256, 5_000], [1, 2, 3] as [UInt64])
    func entriesComeInTheOrderOfTheirKeys(count: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for makeKey in [Self.integer, Self.text, Self.longText, Self.pair, Self.textFirst] {
            let keys = (0..<count).map { _ in makeKey(&random) }
            let sorted = keys.enumerated().sorted { left, right in
                left.element == right.element
                    ? left.offset < right.offset
                    : left.element.lexicographicallyPrecedes(right.element)
            }
            #expect(Self.drained(keys) == sorted.map(\.offset), "seed \(seed)")
        }
    }

    /// Returns the places of keys in the order in which they come.
    private static func drained(_ keys: [[UInt8]]) -> [Int] {
        var entries = IndexEntries()
        defer { entries.deallocate() }
        for (place, key) in keys.enumerated() {
            key.withUnsafeBytes { key in
                withUnsafeBytes(of: place) { entries.append(key: MDB_val(key), value: MDB_val($0)) }
            }
        }
        var places: [Int] = []
        var previous: [UInt8]?
        entries.drain { key, value, repeats in
            let place = value.bytes.loadUnaligned(as: Int.self)
            #expect(Array(key.bytes) == keys[place])
            #expect(repeats == (previous == keys[place]))
            previous = keys[place]
            places.append(place)
        }
        #expect(entries.isEmpty)
        return places
    }

    // The forms of keys in an index: see Documentation/FileFormat.md.

    private static func integer(_ random: inout SeededGenerator) -> [UInt8] {
        if Int.random(in: 0..<10, using: &random) == 0 { return [0] }
        let number = Int64.random(in: -40...40, using: &random)
        return [1]
            + withUnsafeBytes(of: (UInt64(bitPattern: number) ^ 1 << 63).bigEndian) { Array($0) }
    }

    private static func text(_ random: inout SeededGenerator) -> [UInt8] {
        let letters = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
            UInt8.random(in: 97...99, using: &random)
        }
        return [1] + letters + [0]
    }

    /// Long ones that differ late, between short ones.
    private static func longText(_ random: inout SeededGenerator) -> [UInt8] {
        let length = [1, 7, 8, 9, 15, 16, 17, 30].randomElement(using: &random) ?? 0
        var letters = [UInt8](repeating: 97, count: length)
        letters[length - 1] = UInt8.random(in: 97...98, using: &random)
        return [1] + letters + text(&random).dropFirst()
    }

    private static func textFirst(_ random: inout SeededGenerator) -> [UInt8] {
        (Int.random(in: 0..<10, using: &random) == 0 ? [0] : text(&random)) + integer(&random)
    }

    private static func pair(_ random: inout SeededGenerator) -> [UInt8] {
        integer(&random) + text(&random)
    }
}
