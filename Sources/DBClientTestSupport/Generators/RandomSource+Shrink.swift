extension RandomSource {
    /// Returns a tape as short and as low as can be found for which a test still fails.
    ///
    /// - Parameters:
    ///   - tape: A tape for which it fails.
    ///   - attempts: How many other tapes to try at most.
    ///   - fails: Whether the test fails on a tape.
    /// - Returns: The smallest tape found, which may be `tape` itself.
    public static func shrink(
        _ tape: [UInt64],
        attempts: Int,
        while fails: ([UInt64]) async -> Bool
    ) async -> [UInt64] {
        var best = tape
        var left = attempts
        func keep(_ candidate: [UInt64]) async -> Bool {
            guard left > 0, candidate != best else { return false }
            left -= 1
            guard await fails(candidate) else { return false }
            best = candidate
            return true
        }
        var hasImproved = true
        while hasImproved && left > 0 {
            hasImproved = false
            // Leave out pieces, the longest first.
            var length = best.count / 2
            while length > 0 {
                var start = 0
                while start + length <= best.count, left > 0 {
                    var candidate = best
                    candidate.removeSubrange(start..<start + length)
                    if await keep(candidate) { hasImproved = true } else { start += length }
                }
                length /= 2
            }
            // Lower what is left: to zero at once, else by halving the distance.
            for index in best.indices.reversed() where index < best.count && best[index] > 0 {
                var low: UInt64 = 0
                var candidate = best
                candidate[index] = 0
                if await keep(candidate) {
                    hasImproved = true
                    continue
                }
                while left > 0, best[index] - low > 1 {
                    let middle = low + (best[index] - low) / 2
                    candidate = best
                    candidate[index] = middle
                    if await keep(candidate) { hasImproved = true } else { low = middle }
                }
            }
        }
        return best
    }
}
