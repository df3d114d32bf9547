public import DBClientCore
import Observation

/// A single value as a view shows it: a count, a total, one model by its key, or whatever a read finds.
///
/// ```swift
/// let villains = client.liveCount(Hero.where { $0.side == .villain })
/// let hero = client.live(Hero.self, key: 1455)
/// let oldest = LiveValue(client.observeMin(\.year, of: Hero.all), initial: nil)
/// ```
@MainActor
public final class LiveValue<Value: Sendable>: LiveObject {
    let core: LiveCore<Value>
    private let first: Value

    /// Creates the object of a stream of values.
    ///
    /// - Parameters:
    ///   - stream: The values.
    ///   - initial: What is shown until the first of them is there.
    ///   - retry: After which errors it begins anew by itself.
    public init(
        _ stream: ValueStream<Value>,
        initial: Value,
        retry: LiveRetry = .transient
    ) {
        first = initial
        core = LiveCore(retry)
        follow(stream)
    }

    /// The value; the initial one until the first is there, which ``state`` tells.
    public var value: Value {
        core.contentSignal.access()
        return core.content ?? first
    }

    /// Shows the values of another stream from its first one on.
    ///
    /// What was shown stays, and stays live, until then. A value of the former stream is never shown after it.
    public func follow(_ stream: ValueStream<Value>) {
        // Each value that a stream tells is another one; a position stands for it.
        core.begin(
            .values(
                stream,
                { $0 },
                { old, _ in
                    old == nil
                        ? LiveChange(insertions: [0])
                        : LiveChange(modifications: [RowMove(from: 0, to: 0)])
                }
            )
        )
    }
}
