#if Observability
import DBClientCore

/// How a call ended: after what time, and with which error if it failed.
struct Outcome: Sendable {
    let duration: Duration
    let error: (any Error)?

    /// The code of an error of the library, the type of another; nil of a success.
    ///
    /// What else an error says may be a stored value.
    var errorType: String? {
        error.map { ($0 as? DBClientError)?.code.description ?? String(reflecting: type(of: $0)) }
    }
}
#endif
