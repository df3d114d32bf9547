extension FuzzTarget {
    /// A decoder that reads as many bytes as the first one says, whether or not there are so many.
    package static let believingLengths = FuzzTarget("believing-lengths") {
        [[3, 1, 2, 3]]
    } decode: { input in
        guard let start = input.baseAddress, let count = input.first else { return }
        var sum: UInt8 = 0
        for offset in 0..<Int(count) {
            sum &+= start.load(fromByteOffset: 1 + offset, as: UInt8.self)
        }
        try require(sum == sum, "")
    }

    /// A decoder of numbers of varying length that forgets the highest bits of long ones.
    package static let losingABit = FuzzTarget("losing-a-bit") {
        [[5], [0x85, 1]]
    } decode: { input in
        var number: UInt64 = 0
        for (index, byte) in input.prefix(8).enumerated() {
            number |= UInt64(byte & (index == 3 ? 0x3F : 0x7F)) << UInt64(7 * index)
        }
        var again: [UInt8] = []
        for index in 0..<min(input.count, 8) {
            again.append(UInt8(number >> UInt64(7 * index) & 0x7F) | input[index] & 0x80)
        }
        try require(again.elementsEqual(input.prefix(8)), "A number must be what it was read from.")
    }
}
