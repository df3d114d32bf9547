import CLibPQ
import DBClientCore

/// What a session asks the server for and can do without: servers that speak PostgreSQL's protocol lack some of
/// it, and others keep it from ordinary roles.
enum ServerFeature: CaseIterable {
    /// The cluster's number, without which clients of one server in a process are known by its address.
    case cluster
    /// The server's run, without which the outcome of an unanswered commit stays unknown.
    case run

    /// Returns an expression of the feature, null where it is lacking.
    func expression(_ lacking: Set<ServerFeature>) -> String {
        if lacking.contains(self) { return "NULL::bigint" }
        switch self {
        case .cluster: return "(SELECT system_identifier FROM pg_catalog.pg_control_system())"
        case .run: return ServerRun.expression
        }
    }
}

extension DBClientError {
    /// Whether a statement needs a function, a view or a setting that the server lacks, or keeps from the role.
    var isAboutMissingFeature: Bool {
        ["42883", "42P01", "42703", "42704", "42501", "0A000"].contains(sqlState)
    }
}

extension Link {
    /// A hash of the server's address, which identifies it where it reports no identifier.
    var addressHash: Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for part in [PQhost(handle), PQhostaddr(handle), PQport(handle)] {
            for byte in (part.map { String(cString: $0) } ?? "").utf8 + [0] {
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
            }
        }
        return Int64(bitPattern: hash)
    }
}
