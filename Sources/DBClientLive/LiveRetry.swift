public import DBClientCore

/// Which errors a live object tries to overcome by itself, and how often.
public struct LiveRetry: Sendable {
    /// The errors after which it begins anew; nil for all.
    public var codes: Set<DBClientError.Code>?
    /// The pause before the first attempt; each further one is twice as long.
    public var first: Duration
    /// The longest pause between two attempts, at which doubling stops.
    public var longest: Duration

    /// Creates a policy from the errors that it is for and the shortest and longest pause.
    public init(
        codes: Set<DBClientError.Code>?,
        first: Duration = .milliseconds(100),
        longest: Duration = .seconds(10)
    ) {
        self.codes = codes
        self.first = first
        self.longest = longest
    }

    /// After errors that pass: a lost connection, a store that is busy, a time-out.
    public static let transient = LiveRetry(codes: [.connectionLost, .busy, .timeout])
    /// After no error: only `retry()` begins anew.
    public static let never = LiveRetry(codes: [])
    /// After every error, also one that no repetition helps, such as `.corrupt`.
    public static let always = LiveRetry(codes: nil)

    /// Whether it begins anew after an error.
    func covers(_ error: DBClientError) -> Bool {
        codes.map { $0.contains(error.code) } ?? true
    }
}
