/// The words of texts by numbers of their own, each kept once.
struct IndexedWords {
    private var bytes: [UInt8] = []
    /// Where each word ends among the bytes of all.
    private var ends: [Int] = []
    /// The number of a word, plus one, at the place that its hash tells, or after it.
    private var places = [Int32](repeating: 0, count: 256)

    var count: Int { ends.count }

    /// Returns the number of a word, which is added if it is new.
    mutating func insert(_ word: UnsafeRawBufferPointer) -> Int {
        if (count + 1) * 2 > places.count { grow() }
        var place = Int(truncatingIfNeeded: Self.hash(word)) & (places.count - 1)
        while places[place] != 0 {
            let number = Int(places[place]) - 1
            if withWord(number, { $0.elementsEqual(word) }) { return number }
            place = (place + 1) & (places.count - 1)
        }
        bytes.append(contentsOf: word)
        ends.append(bytes.count)
        places[place] = Int32(truncatingIfNeeded: count)
        return count - 1
    }

    private mutating func grow() {
        let size = places.count * 2
        places = [Int32](repeating: 0, count: size)
        for number in 0..<count {
            var place = Int(truncatingIfNeeded: withWord(number, Self.hash)) & (size - 1)
            while places[place] != 0 { place = (place + 1) & (size - 1) }
            places[place] = Int32(truncatingIfNeeded: number + 1)
        }
    }

    private static func hash(_ word: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in word { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash ^ hash >> 32
    }

    /// Calls a function with the bytes of a word.
    func withWord<Result>(_ number: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = number == 0 ? 0 : ends[number - 1]
        return bytes.withUnsafeBytes {
            body(UnsafeRawBufferPointer(rebasing: $0[start..<ends[number]]))
        }
    }

    /// The numbers of the words in the order of the words.
    var sorted: [Int] {
        (0..<count).sorted { left, right in
            withWord(left) { left in
                withWord(right) { Slot.compare(.data(left), .data($0)) < 0 }
            }
        }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        // Few come after many as a rule.
        if places.count > 4_096 { places = [Int32](repeating: 0, count: 256) }
        for place in places.indices { places[place] = 0 }
    }
}
