import Foundation

/// The rows and keys of one run, the same for every contestant and from run to run.
struct Dataset: Sendable {
    /// The rows in the order of their keys, which are 1, 2, 3, and so on.
    let rows: [Character]
    /// The keys of the gets inside one transaction, random, as many as there are rows.
    let keys: [Int]
    /// The keys of the gets that are a transaction each, a fifth as many.
    let singleKeys: [Int]
    /// The different keys, in random order, of the partial update: a tenth of the rows.
    let updatedKeys: [Int]
    /// The different keys, in random order, of the deletion: a tenth of the rows.
    let deletedKeys: [Int]

    /// Makes the data for a number of rows.
    init(count: Int) {
        var random = SplitMix64(state: 0x5EED)
        rows = (1...count).map { Character(id: $0, using: &random) }
        keys = (0..<count).map { _ in Int.random(in: 1...count, using: &random) }
        singleKeys = (0..<max(count / 5, 1)).map { _ in Int.random(in: 1...count, using: &random) }
        updatedKeys = Array((1...count).shuffled(using: &random).prefix(max(count / 10, 1)))
        deletedKeys = Array((1...count).shuffled(using: &random).prefix(max(count / 10, 1)))
    }

    /// The rows in random order.
    var shuffled: [Character] {
        var random = SplitMix64(state: 0x0DD)
        return rows.shuffled(using: &random)
    }

    /// The rows with values of a round's own in the fields without an index.
    func revised(round: Int) -> [Character] {
        var random = SplitMix64(state: UInt64(round) &+ 77)
        return rows.map { row in
            var row = row
            row.realName = .words(of: 16, spread: 2, using: &random)
            row.power = .power(using: &random)
            row.isActive.toggle()
            return row
        }
    }

    /// Rows with keys that are not in use, for one-row commits.
    func extra(_ count: Int, round: Int) -> [Character] {
        var random = SplitMix64(state: UInt64(round) &+ 7_777)
        let first = rows.count + 1 + round * 1_000_000
        return (first..<first + count).map { Character(id: $0, using: &random) }
    }
}

extension Character {
    fileprivate init(id: Int, using random: inout SplitMix64) {
        self.id = id
        name = .words(of: 12, spread: 2, using: &random)
        realName = .words(of: 16, spread: 2, using: &random)
        publisherId = random.next() % 50 == 0 ? nil : Int.random(in: 1...50, using: &random)
        power = .power(using: &random)
        createdAt = Date(microseconds: Int64.random(in: 1...1_700_000_000_000_000, using: &random))
        isActive = id % 2 == 0
        bio = random.next() % 10 == 0 ? nil : .words(of: 60, spread: 8, using: &random)
    }
}

extension Double {
    fileprivate static func power(using random: inout SplitMix64) -> Double {
        Double(Int.random(in: 0..<1_000_000, using: &random)) / 100
    }
}

extension String {
    /// Lower-case words with capitals, spaces between, of a total length near the one given.
    fileprivate static func words(
        of length: Int,
        spread: Int,
        using random: inout SplitMix64
    ) -> String {
        let count = Int.random(in: length - spread...length + spread, using: &random)
        var left = 0
        return String(
            unsafeUninitializedCapacity: count,
            initializingUTF8With: { bytes in
                for index in 0..<count {
                    let letter = UInt8(random.next() % 26)
                    if left == 0 {
                        bytes[index] = UInt8(ascii: "A") + letter
                        left = Int.random(in: 4...8, using: &random)
                    } else if left == 1, index < count - 1 {
                        bytes[index] = UInt8(ascii: " ")
                        left = 0
                    } else {
                        bytes[index] = UInt8(ascii: "a") + letter
                        left -= 1
                    }
                }
                return count
            }
        )
    }
}

/// Steele, Lea and Flood's SplitMix64: small, fast, and the same everywhere.
struct SplitMix64: RandomNumberGenerator {
    /// The whole state.
    var state: UInt64

    /// Returns the next number.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
