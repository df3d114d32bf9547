/// What scrypt takes to derive a key from a passphrase, as the store's header keeps it.
struct PassphraseCost: Equatable {
    /// The binary logarithm of its number of rounds.
    var logarithmOfRounds: Int
    var blockSize: Int
    var parallelism: Int

    /// 64 MB, and some tenths of a second.
    static let usual = PassphraseCost(logarithmOfRounds: 16, blockSize: 8, parallelism: 1)

    /// How many bytes a derivation takes.
    var memory: Int { 128 * blockSize << logarithmOfRounds }

    /// Whether a file may ask for it: not for so little that trying passphrases is cheap, nor for so much that opening
    /// a file takes a process's memory or minutes.
    var isSane: Bool {
        (14...20).contains(logarithmOfRounds) && (8...16).contains(blockSize)
            && parallelism == 1 && memory <= 1 << 28
    }
}
