/// The secret in the address of the page.
struct AccessToken: Sendable {
    /// The token as text of URLs.
    let text: String

    /// Makes a token of 256 bits from the system's source of randomness.
    init() {
        var generator = SystemRandomNumberGenerator()
        text = (0..<4).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }

    /// Whether a text is the token; the time that this takes tells nothing of how much of it is right.
    func matches(_ other: some StringProtocol) -> Bool {
        let (expected, given) = (Array(text.utf8), Array(other.utf8))
        var difference = expected.count ^ given.count
        for (index, byte) in expected.enumerated() {
            difference |= Int(byte ^ (index < given.count ? given[index] : 0))
        }
        return difference == 0
    }
}
