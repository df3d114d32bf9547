#if Observability
import DBClientCore

/// The database that a client is one of.
struct Database: Sendable {
    let system: String
    let namespace: String?
}

/// A piece of work that takes time: a whole transaction or one of its calls.
enum Work: Sendable {
    case read
    case write
    case call(TransactionCall)

    /// The name of what is done.
    var operation: String {
        switch self {
        case .read: "read"
        case .write: "write"
        case .call(let call): call.kind.rawValue
        }
    }

    /// The stored name of the entity that it is done to.
    var entity: String? {
        if case .call(let call) = self { call.entity } else { nil }
    }
}

/// The duration of a piece of work, and the error that it ended with.
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

/// The records of one instrument about one transaction, which runs on one thread at a time.
///
/// Work ends in the reverse order of its beginning.
protocol Probe: Sendable {
    func begin(_ work: Work)
    func end(_ work: Work, _ outcome: Outcome)

    /// Runs a body in the context of what has begun last.
    func inContext<Value>(_ body: () throws -> Value) throws -> Value
}

extension Probe {
    func begin(_ work: Work) {}

    func inContext<Value>(_ body: () throws -> Value) throws -> Value {
        try body()
    }
}
#endif
