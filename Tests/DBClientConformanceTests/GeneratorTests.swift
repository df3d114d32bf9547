import DBClientTesting
import Testing

struct GeneratorTests {
    @Test("A seed gives the same numbers each time, and another seed others")
    func seeded() {
        let first = RandomSource(seed: 7)
        let second = RandomSource(seed: 7)
        let other = RandomSource(seed: 8)
        let numbers = (0..<50).map { _ in first.next() }
        #expect(numbers == (0..<50).map { _ in second.next() })
        #expect(numbers != (0..<50).map { _ in other.next() })
    }

    @Test("A recorded tape replays, and ends in zeros")
    func replays() {
        let random = RandomSource(seed: 3)
        let made = random.list(upTo: 9) { $0.below(100) }
        let replay = RandomSource(replaying: random.recorded)
        #expect(replay.list(upTo: 9) { $0.below(100) } == made)
        #expect(replay.next() == 0)
    }

    @Test("RandomSource stay in their bounds and reach both ends")
    func bounds() {
        let random = RandomSource(seed: 1)
        let numbers = (0..<1_000).map { _ in random.below(5) }
        #expect(Set(numbers) == [0, 1, 2, 3, 4])
        #expect(random.below(1) == 0)
        #expect(random.below(0) == 0)
        #expect((0..<100).allSatisfy { _ in !random.chance(0) && random.chance(100) })
    }

    @Test("A failing tape shrinks to the least that fails")
    func shrinks() async {
        // Fails when a list holds a number of at least 500.
        func made(_ tape: [UInt64]) -> [Int] {
            RandomSource(replaying: tape).list(upTo: 20) { $0.below(1_000) }
        }
        let random = RandomSource(seed: 11)
        _ = random.list(upTo: 20) { $0.below(1_000) }
        let tape = random.recorded
        #expect(made(tape).contains { $0 >= 500 })
        let smallest = await RandomSource.shrink(tape, attempts: 5_000) { candidate in
            made(candidate).contains { $0 >= 500 }
        }
        #expect(made(smallest) == [500])
    }

    @Test("Shrinking stops after the attempts it is given")
    func isBounded() async {
        var attempts = 0
        let tape = Array(repeating: UInt64.max, count: 1_000)
        _ = await RandomSource.shrink(tape, attempts: 25) { _ in
            attempts += 1
            return false
        }
        #expect(attempts == 25)
    }
}
