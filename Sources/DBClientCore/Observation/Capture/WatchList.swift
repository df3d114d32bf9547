/// The entities that somebody watches.
///
/// A new list is made for each change, so a write unit keeps the one it began with.
final class WatchList: Sendable {
    /// Who watches an entity.
    struct Watch: Sendable {
        /// How many results depend on its rows.
        var results = 0
        /// How many feeds hand its rows on, every one of them.
        var feeds = 0
    }

    static let empty = WatchList([:])

    private let watches: [[UInt8]: Watch]

    /// A result that depends on so many rows of one unit is read anew; copies of them would cost more
    /// memory than the result.
    private static let resultLimit = 262_144

    init(_ watches: [[UInt8]: Watch]) {
        self.watches = watches
    }

    /// The names of the entities, as bytes.
    var names: Set<[UInt8]> { Set(watches.keys) }

    var isEmpty: Bool { watches.isEmpty }

    /// Returns how many rows of an entity a unit copies at most, or nil when nobody watches it.
    func rowLimit(of name: [UInt8]) -> Int? {
        guard let watch = watches[name] else { return nil }
        return watch.feeds > 0 ? Int(Int32.max) : Self.resultLimit
    }

    /// Returns a list in which the watch on an entity is changed.
    func changing(_ names: some Sequence<[UInt8]>, _ change: (inout Watch) -> Void) -> WatchList {
        var watches = watches
        for name in names {
            var watch = watches[name] ?? Watch()
            change(&watch)
            watches[name] = watch.results + watch.feeds > 0 ? watch : nil
        }
        return WatchList(watches)
    }
}
