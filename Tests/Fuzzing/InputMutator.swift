import DBClientTestSupport

/// Makes inputs from others, as a fuzzer without coverage does: by small changes of bytes, numbers and pieces.
struct InputMutator {
    private var random: SeededGenerator

    /// Bytes that mean something to one or another decoder.
    private static let telling: [UInt8] =
        [0, 1, 2, 3, 9, 10, 32, 0x7F, 0x80, 0xC3, 0xE2, 0xF0, 0xFE, 0xFF]
        + Array("\"\\{}[],:-+.eEuZT@/?=&*~()0159aN'`".utf8)

    /// Pieces of texts.
    private static let pieces = [
        "\\u0000", "\\ud83d", "1e400", "-0.0", "null", "[[[[", "9223372036854775808", "NaN", " OR ",
        "é",
        "\u{301}", "2026-02-29", "T24:00:00", "+14:00", "postgres://", "sslmode=", "/*", "--",
        "dbclient ",
    ].map { Array($0.utf8) }

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// Returns an input made from one or two of some.
    mutating func next(from inputs: [[UInt8]]) -> [UInt8] {
        guard var input = inputs.randomElement(using: &random) else { return [] }
        for _ in 0..<(1 << Int.random(in: 0...3, using: &random)) {
            change(&input, inputs)
        }
        if input.count > GuardedInput.capacity { input.removeSubrange(GuardedInput.capacity...) }
        return input
    }

    private mutating func change(_ input: inout [UInt8], _ inputs: [[UInt8]]) {
        guard !input.isEmpty else {
            input.append(Self.telling.randomElement(using: &random) ?? 0)
            return
        }
        let place = Int.random(in: 0..<input.count, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: input[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: input[place] = Self.telling.randomElement(using: &random) ?? 0
        case 2: input.insert(Self.telling.randomElement(using: &random) ?? 0, at: place)
        case 3: input.remove(at: place)
        case 4: input.removeSubrange(place..<end(after: place, of: input))
        case 5:
            let piece = Array(input[place..<end(after: place, of: input)])
            input.insert(contentsOf: piece, at: Int.random(in: 0...input.count, using: &random))
        case 6: setNumber(&input, at: place)
        case 7: input.removeSubrange(place...)
        case 8:
            let other = inputs.randomElement(using: &random) ?? []
            let from = Int.random(in: 0...other.count, using: &random)
            input.replaceSubrange(place..., with: other[from...])
        default:
            let piece = Self.pieces.randomElement(using: &random) ?? []
            input.insert(contentsOf: piece, at: place)
        }
    }

    private mutating func end(after place: Int, of input: [UInt8]) -> Int {
        min(input.count, place + Int.random(in: 1...16, using: &random))
    }

    /// Overwrites some bytes with a number that limits are tried with, in either order of bytes.
    private mutating func setNumber(_ input: inout [UInt8], at place: Int) {
        let width = [2, 4, 8].randomElement(using: &random) ?? 4
        let numbers: [Int64] = [
            0, 1, -1, .max, .min, Int64(Int32.max), Int64(UInt32.max), Int64(Int16.max),
            Int64(input.count), Int64(input.count) + 1, Int64(input.count - place),
        ]
        let number = UInt64(bitPattern: numbers.randomElement(using: &random) ?? 0)
        let isBigEndian = Bool.random(using: &random)
        for offset in 0..<width where place + offset < input.count {
            let shift = 8 * (isBigEndian ? width - 1 - offset : offset)
            input[place + offset] = UInt8(truncatingIfNeeded: number >> UInt64(shift))
        }
    }
}
