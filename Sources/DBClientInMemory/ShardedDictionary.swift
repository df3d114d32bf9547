/// A dictionary in pieces, so that changing it while a snapshot holds a copy copies one piece.
///
/// A plain dictionary would be copied whole by the first change after each snapshot, which makes
/// 10,000 small transactions quadratic.
struct ShardedDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private static var shardCount: Int { 256 }

    private var shards: [[Key: Value]] = []
    private(set) var count = 0

    /// The value of a key; assigning nil removes it.
    subscript(key: Key) -> Value? {
        get {
            shards.isEmpty ? nil : shards[shard(of: key)][key]
        }
        set {
            if shards.isEmpty {
                guard newValue != nil else { return }
                shards = Array(repeating: [:], count: Self.shardCount)
            }
            let shard = shard(of: key)
            count -= shards[shard].count
            shards[shard][key] = newValue
            count += shards[shard].count
        }
    }

    /// Every value, in no order.
    var values: some Sequence<Value> {
        shards.lazy.flatMap(\.values)
    }

    private func shard(of key: Key) -> Int {
        Int(UInt(bitPattern: key.hashValue) % UInt(Self.shardCount))
    }
}
