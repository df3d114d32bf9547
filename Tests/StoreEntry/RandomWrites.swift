package import DBClientCore

/// Writes that come by chance, the same ones for a seed and a state of the store.
package struct RandomWrites {
    private var numbers: Numbers

    package init(seed: UInt64) {
        numbers = Numbers(seed: seed)
    }

    /// Makes a write of several kinds to a few hundred entries: some change many, some none.
    package mutating func write(through client: any DBClient) throws {
        let id = next(300)
        let text = "text \(next(50))"
        switch next(8) {
        case 0...2:
            try client.blocking.upsert(
                (0...next(4)).map { Entry(id + $0 * 7, text: text, bucket: next(7)) }
            )
        case 3: try client.blocking.delete(Entry.self, key: id)
        case 4:
            let bucket = next(7)
            try client.blocking.update(Entry.where { $0.bucket == bucket }) {
                $0.set(\.text, to: text)
            }
        case 5: try client.blocking.delete(Entry.where { $0.id >= id && $0.id < id + 10 })
        case 6: try client.blocking.updateExisting([Entry(id, text: text, bucket: next(7))])
        default:
            // Two entries change places, or nothing is left of what was done.
            let other = next(300)
            let isUndone = next(2) == 0
            try client.writeBlocking { transaction in
                try transaction.upsert(Entry(id, text: text, bucket: 1))
                try transaction.upsert(Entry(other, text: "other \(text)", bucket: 2))
                if isUndone { try transaction.delete(Entry.self, keys: [id, other]) }
            }
        }
    }

    private mutating func next(_ bound: Int) -> Int {
        numbers.next(bound)
    }

    /// Numbers by chance, the same ones for a seed: SplitMix64 (Steele, Lea and Flood 2014).
    package struct Numbers {
        private var state: UInt64

        package init(seed: UInt64) {
            state = seed
        }

        /// Returns a number from zero up to a bound.
        package mutating func next(_ bound: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
            return Int((bits ^ bits >> 31) % UInt64(bound))
        }
    }
}
