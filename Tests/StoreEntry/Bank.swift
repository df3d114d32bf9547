package import DBClientCore

/// A purse of a bank in which transfers change neither the sum of the balances nor how many purses are open;
/// or a row in which a writer counts its transfers.
@Stored package struct Purse: Hashable {
    @PrimaryKey package let id: Int
    package var balance: Int
    package var isOpen: Bool
    /// How many transfers the row's writer has made.
    package var step: Int
    /// How many transfers of another writer the last one had read of.
    package var seen: Int

    package init(_ id: Int, balance: Int, isOpen: Bool) {
        self.id = id
        self.balance = balance
        self.isOpen = isOpen
        step = 0
        seen = 0
    }
}

/// What holds purses.
@Stored package struct Safe: Hashable {
    @PrimaryKey package let id: Int
    package var purses: [Purse]

    package init(_ id: Int, _ purses: [Purse]) {
        self.id = id
        self.purses = purses
    }
}

/// A bank to which several processes write at the same time.
package enum Bank {
    /// How many purses there are.
    package static let count = 24
    /// The balances' sum.
    package static let sum = count * 1_000
    /// The writers, of which those with even numbers are in another process than those with odd ones.
    package static let writers = 0..<8

    /// The row in which a writer counts.
    package static func row(of writer: Int) -> Int { 1_000 + writer }

    /// The writer whose count another one reads before it writes.
    package static func neighbour(of writer: Int) -> Int { (writer + 1) % writers.count }

    package static let purses = Purse.where { $0.id < 1_000 }
    package static let openPurses = Purse.where { $0.id < 1_000 && $0.isOpen }
    package static let pursesByBalance = Purse.all.sorted { $0.balance.descending }
    package static let safes = Safe.all
    package static let openSafes = Safe.where { safe in safe.purses.contains { $0.isOpen } }

    /// Opens the bank.
    package static func found(in client: any DBClient) throws {
        let purses = (0..<count).map { Purse($0, balance: 1_000, isOpen: $0.isMultiple(of: 2)) }
        let rows = writers.map { Purse(row(of: $0), balance: 0, isOpen: false) }
        try client.writeBlocking { transaction in
            try transaction.insert(rows)
            for safe in 0..<2 {
                try transaction.insert(Safe(safe, purses.filter { $0.id % 2 == safe }))
            }
        }
    }

    /// Makes transfers, each in a transaction.
    package static func transfer(by writer: Int, times: Int, through client: any DBClient) throws {
        var numbers = RandomWrites.Numbers(seed: UInt64(writer))
        for _ in 0..<times {
            let source = numbers.next(count)
            let target = (source + 1 + numbers.next(count - 1)) % count
            let amount = numbers.next(10)
            try client.writeBlocking { transaction in
                let keys = [source, target, row(of: writer), row(of: neighbour(of: writer))]
                var found = try transaction.find(Purse.self, keys: keys)
                guard found.count == 4 else {
                    throw DBClientError(.notFound, "The bank was not founded.")
                }
                found[0].balance -= amount
                found[1].balance += amount
                (found[0].isOpen, found[1].isOpen) = (found[1].isOpen, found[0].isOpen)
                found[2].step += 1
                found[2].seen = found[3].step
                try transaction.update(Array(found[0..<3]))
            }
        }
    }

    /// Returns what is wrong with rows that are said to be all that the bank had at one moment.
    package static func fault(in rows: [Purse]) -> String? {
        let purses = rows.filter { $0.id < 1_000 }
        let sum = purses.reduce(0) { $0 + $1.balance }
        if purses.count != count || sum != self.sum { return "\(purses.count) purses with \(sum)" }
        let open = purses.count { $0.isOpen }
        if open != count / 2 { return "\(open) open purses" }
        let rows = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
        for writer in writers {
            guard let row = rows[row(of: writer)],
                let other = rows[self.row(of: neighbour(of: writer))]
            else { return "no row of writer \(writer)" }
            if row.seen > other.step { return "\(row.seen) seen of \(other.step) transfers" }
        }
        return nil
    }

    /// Returns what is wrong with a state that follows another one.
    package static func fault(from old: [Purse], to new: [Purse]) -> String? {
        let steps = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0.step) })
        for row in new where row.step < steps[row.id] ?? 0 {
            return "\(row.step) transfers after \(steps[row.id] ?? 0)"
        }
        return nil
    }
}
