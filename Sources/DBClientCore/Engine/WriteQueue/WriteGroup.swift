/// Callers that may come back with another unit.
struct ExpectedWriters {
    /// How many they are, with those that have come.
    var count = 0
    /// How many nanoseconds they are still waited for, beside what is done meanwhile.
    var patience: UInt64 = 0
}

/// Units that share a transaction.
///
/// Touched by the thread that runs them alone.
final class WriteGroup {
    /// The units that write, in the order in which they run.
    private(set) var units: [WriteUnit] = []
    /// What the engine itself writes with any transaction: it has no part in this, so that it does not make
    /// another unit run twice.
    private var emptyUnits: [WriteUnit] = []
    /// The callers that are expected to join, those that have joined included.
    var guests: ExpectedWriters

    init(_ units: [WriteUnit], _ guests: ExpectedWriters = ExpectedWriters()) {
        self.guests = guests
        append(units)
    }

    /// How many of the callers that are expected to join have not come yet; negative when more have.
    var missingGuests: Int { guests.count - units.count }

    /// Whether there is one unit at most, and no caller is expected to join it.
    var isAlone: Bool { units.count < 2 && missingGuests <= 0 }

    /// Whether nothing is written that an empty unit waits for.
    var wantsEmptyTransaction: Bool {
        !emptyUnits.isEmpty && units.allSatisfy { $0.failure != nil }
    }

    /// Adds units, which run after the others.
    func append(_ more: [WriteUnit]) {
        for unit in more {
            if unit.isEmpty { emptyUnits.append(unit) } else { units.append(unit) }
        }
    }

    /// Tells the callers how their units ended.
    func finish() {
        for unit in units { unit.finish() }
        for unit in emptyUnits { unit.finish() }
    }
}
