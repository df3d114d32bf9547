/// One promise of the library, with the code that finds out whether a backend keeps it.
public struct ConformanceCase: Sendable, CustomStringConvertible {
    /// The concern that the promise belongs to.
    public let concern: ConformanceConcern
    /// The promise in words, as reports show it.
    public let name: String
    /// The capabilities that a backend needs for the promise to have a meaning.
    public let requirements: Set<Capability>
    let run: @Sendable (ConformanceContext) async throws -> Void

    /// Creates a case that may open the store again.
    ///
    /// - Parameters:
    ///   - concern: The concern that the promise belongs to.
    ///   - name: The promise, in words.
    ///   - requirements: The capabilities that a backend needs for the promise to have a meaning.
    ///   - run: Throws when the backend breaks the promise.
    public init(
        _ concern: ConformanceConcern,
        _ name: String,
        requires requirements: Set<Capability> = [],
        run: @escaping @Sendable (ConformanceContext) async throws -> Void
    ) {
        self.concern = concern
        self.name = name
        self.requirements = requirements
        self.run = run
    }

    /// The concern and the name of the case, as test reports show it.
    public var description: String { "\(concern.rawValue): \(name)" }
}
