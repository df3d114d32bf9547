/// A tape of random numbers from which a test makes all its choices.
///
/// The numbers drawn are recorded. A test that fails is made smaller by running it again on a shorter
/// or lower tape (``shrink(_:attempts:while:)``), with no knowledge of what the numbers mean. So let
/// zero be the simplest choice, and draw what is independent independently. Not for use by two
/// threads at once.
public final class RandomSource {
    /// The numbers drawn so far, which replay the same choices as a tape.
    public private(set) var recorded: [UInt64] = []
    private var generator: SeededGenerator?
    private let tape: [UInt64]

    /// Creates an endless tape that follows from a seed.
    public init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        tape = []
    }

    /// Creates a tape of given numbers, followed by zeros.
    public init(replaying tape: [UInt64]) {
        generator = nil
        self.tape = tape
    }

    /// Returns the next number of the generator or the tape, and records it.
    public func next() -> UInt64 {
        let number = generator?.next() ?? (recorded.count < tape.count ? tape[recorded.count] : 0)
        recorded.append(number)
        return number
    }

    /// Draws a number from zero up to a bound, which is excluded.
    public func below(_ bound: Int) -> Int {
        guard bound > 1 else { return 0 }
        let number = next() % UInt64(bound)
        // What counts is recorded, so that lowering the record lowers the choice.
        recorded[recorded.count - 1] = number
        return Int(number)
    }

    /// Draws true this many times in a hundred.
    public func chance(_ percent: Int) -> Bool {
        below(100) >= 100 - percent
    }

    /// Draws one of some elements, of which the first is the simplest.
    public func pick<Element>(_ first: Element, _ others: Element...) -> Element {
        let index = below(others.count + 1)
        return index == 0 ? first : others[index - 1]
    }

    /// Draws one of a collection's elements; the first is the simplest.
    public func pick<Element>(from elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    /// Draws a list of at most so many elements.
    public func list<Element>(upTo limit: Int, _ make: (RandomSource) -> Element) -> [Element] {
        (0..<below(limit + 1)).map { _ in make(self) }
    }
}
