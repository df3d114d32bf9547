/// The commits of a store by their numbers: those that have ended are handed over in the order in which they began.
struct CommitOrder {
    /// The number of the last commit that began.
    private(set) var begun: UInt64 = 0
    /// Every commit up to this number has ended.
    private(set) var resolved: UInt64 = 0
    /// The units of commits that ended before one that began earlier.
    private var early: [UInt64: [CapturedUnit]] = [:]
    /// How many writes of rows these have.
    private var earlyRows = 0
    /// What is to be told next.
    private(set) var inbox: [CapturedCommit] = []
    /// How many writes of rows the inbox has.
    private(set) var inboxRows = 0

    /// The most written rows that wait in the inbox, unless one commit alone has more, and the most that wait for the end
    /// of an earlier commit.
    static let inboxLimit = 262_144

    /// How many commits wait for the end of an earlier one, and how many written rows they have.
    var earlyBacklog: (commits: Int, rows: Int) {
        (early.count, early.values.reduce(0) { $0 + $1.rowCount })
    }

    /// Returns the number of a commit that begins.
    mutating func begin() -> UInt64 {
        begun += 1
        return begun
    }

    /// Notes the end of a commit, and puts those into the inbox that are next in order.
    ///
    /// - Parameters:
    ///   - number: The commit's number.
    ///   - newUnits: What it did; nothing where it failed.
    ///   - canTell: Whether the caller could tell the observers of it at once.
    /// - Returns: The commit, for the caller to tell, where nothing comes before it and it is small; it is not in the inbox
    ///   then.
    mutating func end(
        _ number: UInt64,
        _ newUnits: [CapturedUnit],
        canTell: Bool
    ) -> CapturedCommit? {
        var units = newUnits
        if !units.isEmpty, !early.isEmpty { units = takeEarlier(than: number) + units }
        if number == resolved + 1 {
            resolved = number
            if early.isEmpty, canTell {
                if units.isEmpty { return nil }
                let commit = CapturedCommit(number: number, units: units)
                if commit.isSmall { return commit }
            }
            if !units.isEmpty { put(CapturedCommit(number: number, units: units)) }
        } else {
            putEarly(units, number)
        }
        while let units = early.removeValue(forKey: resolved + 1) {
            resolved += 1
            earlyRows -= units.rowCount
            if !units.isEmpty { put(CapturedCommit(number: resolved, units: units)) }
        }
        return nil
    }

    /// Whether every commit up to a number has ended and is no longer in the inbox.
    func hasHandedOver(_ number: UInt64) -> Bool {
        resolved >= number && (inbox.first?.first ?? .max) > number
    }

    /// Forgets the commits of the inbox, which were taken.
    mutating func emptyInbox() {
        inbox = []
        inboxRows = 0
    }

    /// Takes foreign commits that may be earlier than one that ends now, though they were noticed when it had
    /// its number: without them, it would make a state that the store never had.
    private mutating func takeEarlier(than number: UInt64) -> [CapturedUnit] {
        let later = early.filter { $0.key > number && $0.value.contains(where: \.mayBeEarlier) }
        for (other, units) in later { early[other] = units.filter { !$0.mayBeEarlier } }
        return later.sorted { $0.key < $1.key }.flatMap { $0.value.filter(\.mayBeEarlier) }
    }

    /// Puts a commit into the inbox.
    ///
    /// Where writers are so much faster than the queue that the rows of several commits become too many,
    /// what is left of them is which entities they wrote: observers then read again and compare.
    private mutating func put(_ commit: CapturedCommit) {
        inbox.append(commit)
        inboxRows += commit.rowCount
        guard inboxRows > Self.inboxLimit, inbox.count > 1 else { return }
        let unit = CapturedUnit(namesOf: inbox.lazy.flatMap(\.units))
        inbox = [CapturedCommit(number: commit.number, first: inbox[0].first, units: [unit])]
        inboxRows = 0
    }

    /// Keeps the units of a commit until the earlier ones have ended; of too many rows, which entities
    /// they are of.
    private mutating func putEarly(_ units: [CapturedUnit], _ number: UInt64) {
        early[number] = units
        earlyRows += units.rowCount
        guard earlyRows > Self.inboxLimit else { return }
        early = early.mapValues { $0.isEmpty ? [] : [CapturedUnit(namesOf: $0)] }
        earlyRows = 0
    }
}
