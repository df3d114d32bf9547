import DBClientTesting
import Testing

struct GeneratorTests {
    @Test("A seed gives the same numbers each time, and another seed others")
    func seeded() {
        let first = Draws(seed: 7)
        let second = Draws(seed: 7)
        let other = Draws(seed: 8)
        let numbers = (0..<50).map { _ in first.next() }
        #expect(numbers == (0..<50).map { _ in second.next() })
        #expect(numbers != (0..<50).map { _ in other.next() })
    }

    @Test("A recorded tape replays, and ends in zeros")
    func replays() {
        let draws = Draws(seed: 3)
        let made = draws.list(upTo: 9) { $0.below(100) }
        let replay = Draws(replaying: draws.recorded)
        #expect(replay.list(upTo: 9) { $0.below(100) } == made)
        #expect(replay.next() == 0)
    }

    @Test("Draws stay in their bounds and reach both ends")
    func bounds() {
        let draws = Draws(seed: 1)
        let numbers = (0..<1_000).map { _ in draws.below(5) }
        #expect(Set(numbers) == [0, 1, 2, 3, 4])
        #expect(draws.below(1) == 0)
        #expect(draws.below(0) == 0)
        #expect((0..<100).allSatisfy { _ in !draws.chance(0) && draws.chance(100) })
    }

    @Test("A failing tape shrinks to the least that fails")
    func shrinks() async {
        // Fails when a list holds a number of at least 500.
        func made(_ tape: [UInt64]) -> [Int] {
            Draws(replaying: tape).list(upTo: 20) { $0.below(1_000) }
        }
        let draws = Draws(seed: 11)
        _ = draws.list(upTo: 20) { $0.below(1_000) }
        let tape = draws.recorded
        #expect(made(tape).contains { $0 >= 500 })
        let smallest = await Draws.shrink(tape, attempts: 5_000) { candidate in
            made(candidate).contains { $0 >= 500 }
        }
        #expect(made(smallest) == [500])
    }

    @Test("Shrinking stops after the attempts it is given")
    func isBounded() async {
        var attempts = 0
        let tape = Array(repeating: UInt64.max, count: 1_000)
        _ = await Draws.shrink(tape, attempts: 25) { _ in
            attempts += 1
            return false
        }
        #expect(attempts == 25)
    }
}
