import Foundation

/// One way to keep characters.
///
/// Every contestant does the same work with the same durability: an acknowledged write survives a
/// power cut.
///
/// Reads give the whole struct with all eight fields, in the order of the primary key where nothing
/// else is said. Only `commit` is called by several tasks at once.
protocol Contestant: AnyObject, Sendable {
    /// Opens the store in a folder, creating it when there is none.
    init(folder: URL) throws

    /// Closes the store. Nothing else may be called afterwards.
    func close() throws

    /// Inserts rows in one transaction.
    func insert(_ rows: [Character]) throws

    /// Inserts or replaces rows in one transaction.
    func upsert(_ rows: [Character]) throws

    /// Gets rows one by one inside one transaction and returns the sum of `Character.weight`.
    func get(_ keys: [Int]) throws -> Int

    /// Gets one row in a transaction of its own.
    func get(_ key: Int) throws -> Character?

    /// Gets one row in a transaction of its own, without blocking the caller's thread.
    func getAsync(_ key: Int) async throws -> Character?

    /// Gets rows in a transaction each, every list on a thread of its own, all at once, and returns the sum
    /// of `Character.weight`.
    func getAtOnce(_ lists: [[Int]]) async throws -> Int

    /// The same, every list in a task of its own whose thread is not blocked.
    func getAtOnceAsync(_ lists: [[Int]]) async throws -> Int

    /// Returns every row.
    func fetchAll() throws -> any FetchedRows

    /// Returns the rows of a publisher, through the index.
    func fetch(publisher: Int) throws -> any FetchedRows

    /// Returns the strongest active rows over a power, without an index, strongest first.
    func strongest(over power: Double, limit: Int) throws -> any FetchedRows

    /// Returns the number of active rows over a power, without an index.
    func countActive(over power: Double) throws -> Int

    /// Returns the key and the name of every row, by key, and no other field.
    func names() throws -> [(Int, String)]

    /// Returns the publishers, ascending, nil first, each with how many rows it has and the sum of their
    /// keys.
    func publishers() throws -> [PublisherTotal]

    /// Gets rows by their positions in the order of the key, from one snapshot, and returns the sum of
    /// `Character.weight`.
    func get(positions: [Int]) throws -> Int

    /// Sets `realName` of rows, one by one, in one transaction.
    func rename(_ names: [(key: Int, realName: String)]) throws

    /// Does what `rename` does in the contestant's best way for many.
    func renameTogether(_ names: [(key: Int, realName: String)]) throws

    /// Does what `rename` does, put together from a value for each step where the contestant has such.
    func renameInSteps(_ names: [(key: Int, realName: String)]) throws

    /// Deletes rows by key in one transaction and returns how many there were.
    func delete(_ keys: [Int]) throws -> Int

    /// Deletes rows by key in one transaction in the contestant's best way for many.
    func deleteTogether(_ keys: [Int]) throws -> Int

    /// Inserts one row, durably, in a transaction of its own.
    func commit(_ row: Character) async throws

    /// Reads rows, up to a number of them, one after another, keeping none, and returns the sum of
    /// `Character.weight`.
    func stream(limit: Int) async throws -> Int

    /// Copies all rows into an empty store of the same kind, in one transaction.
    func copy(into other: any Contestant) throws
}

/// What the rows of a publisher come to.
struct PublisherTotal: Hashable {
    let publisher: Int?
    let count: Int
    let sum: Int
}

extension Contestant {
    /// Gets it.
    func getAsync(_ key: Int) async throws -> Character? { try get(key) }

    /// Gets each list on a thread of its own.
    func getAtOnce(_ lists: [[Int]]) async throws -> Int {
        try await onThreads(lists) { keys in
            try keys.reduce(0) { try $0 &+ (self.get($1)?.weight ?? 0) }
        }
    }

    /// Gets each list in a task of its own.
    func getAtOnceAsync(_ lists: [[Int]]) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for keys in lists {
                group.addTask {
                    var sum = 0
                    for key in keys { sum &+= try await self.getAsync(key)?.weight ?? 0 }
                    return sum
                }
            }
            return try await group.reduce(0, &+)
        }
    }

    /// Gets by key: the keys are the positions, counted from one.
    func get(positions: [Int]) throws -> Int {
        try get(positions.map { $0 + 1 })
    }

    /// Reads all rows and inserts them.
    func copy(into other: any Contestant) throws {
        try other.insert(fetchAll().characters)
    }

    /// Renames.
    func renameInSteps(_ names: [(key: Int, realName: String)]) throws {
        try rename(names)
    }

    /// Renames in the order of the keys, so that neighbours share their pages.
    func renameTogether(_ names: [(key: Int, realName: String)]) throws {
        try rename(names.sorted { $0.key < $1.key })
    }

    /// Deletes in the order of the keys, so that neighbours share their pages.
    func deleteTogether(_ keys: [Int]) throws -> Int {
        try delete(keys.sorted())
    }
}

/// What a fetch gives: an array of the struct that the contestant's user works with.
protocol FetchedRows {
    /// The number of rows.
    var count: Int { get }
    /// The bytes of the array beyond its last element.
    var unusedBytes: Int { get }
    /// The rows as characters, made from another struct where need be, outside the measured time.
    var characters: [Character] { get }
}

/// A struct with the fields of a character.
protocol CharacterConvertible {
    /// Copies the fields of a character.
    init(_ character: Character)

    /// The fields as a character.
    var character: Character { get }
}

extension Character: CharacterConvertible {
    init(_ character: Character) {
        self = character
    }

    var character: Character { self }
}

extension Array: FetchedRows where Element: CharacterConvertible {
    var unusedBytes: Int { (capacity - count) * MemoryLayout<Element>.stride }
    var characters: [Character] { self as? [Character] ?? map(\.character) }
}

extension Character {
    /// What a get adds to its sum, so that the row is needed.
    @inline(__always)
    var weight: Int {
        id &+ realName.utf8.count &+ (bio?.utf8.count ?? 0)
    }
}

/// A store that does not do what it was asked.
struct BenchmarkError: Error, CustomStringConvertible {
    /// What went wrong.
    let description: String

    /// Creates an error.
    init(_ description: String) {
        self.description = description
    }
}

extension [Character] {
    /// A number that differs when any field of any row, or their order, does.
    ///
    /// Dates count to the microsecond. The same within one process only.
    var fingerprint: Int {
        var hasher = Hasher()
        for row in self {
            hasher.combine(row.id)
            hasher.combine(row.name)
            hasher.combine(row.realName)
            hasher.combine(row.publisherId)
            hasher.combine(row.power)
            hasher.combine(row.createdMicroseconds)
            hasher.combine(row.isActive)
            hasher.combine(row.bio)
        }
        return hasher.finalize()
    }
}

/// Runs a body for each element on a thread of its own, all at once, and returns the sum.
func onThreads<Element: Sendable>(
    _ elements: [Element],
    _ body: @escaping @Sendable (Element) throws -> Int
) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
        for element in elements {
            group.addTask {
                try await withCheckedThrowingContinuation { continuation in
                    Thread.detachNewThread {
                        continuation.resume(with: Result { try body(element) })
                    }
                }
            }
        }
        return try await group.reduce(0, &+)
    }
}
