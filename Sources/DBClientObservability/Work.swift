#if Observability
import DBClientCore

/// What takes time: a whole transaction or one of its calls.
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
#endif
