import Dispatch

/// One caller's work.
///
/// Touched by the thread that runs its group alone.
final class WriteUnit: @unchecked Sendable {
    private var body: ((any EngineWriter) throws -> Void)?
    private let complete: ((any Error)?) -> Void
    var failure: (any Error)?

    /// Signalled when the writer is the caller's, which runs the unit on its own thread; nil for a unit that
    /// may run on any.
    let turn: DispatchSemaphore?

    /// Whether there is nothing to run.
    let isEmpty: Bool

    init(
        turn: DispatchSemaphore? = nil,
        run: ((any EngineWriter) throws -> Void)?,
        complete: @escaping ((any Error)?) -> Void
    ) {
        self.turn = turn
        self.body = run
        self.complete = complete
        isEmpty = run == nil
    }

    func run(_ writer: any EngineWriter) throws {
        try body?(writer)
    }

    /// Tells the caller how the unit ended.
    ///
    /// The body is released first: that of a blocking caller must not outlive the call, and the group that
    /// holds the unit may be released after the caller has continued.
    func finish() {
        body = nil
        complete(failure)
    }
}
