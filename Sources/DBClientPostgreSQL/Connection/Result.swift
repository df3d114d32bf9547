import CLibPQ
import DBClientCore

/// A result of libpq's, freed with the last reference to it.
final class Result {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        PQclear(handle)
    }

    var hasFailed: Bool {
        switch PQresultStatus(handle) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_COPY_IN,
            PGRES_COPY_OUT, PGRES_EMPTY_QUERY:
            false
        default: true
        }
    }

    /// Whether rows are to be copied from or to the client, before anything else can be said.
    var isCopy: Bool {
        switch PQresultStatus(handle) {
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: true
        default: false
        }
    }

    var rowCount: Int32 { PQntuples(handle) }

    /// Returns where the bytes of a value are, which live as long as this does.
    @inline(__always)
    func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawPointer? {
        UnsafeRawPointer(PQgetvalue(handle, row, column))
    }

    /// How many rows the statement changed.
    var changedCount: Int {
        // A query, or a table made of one, has a count as well.
        let verb = command.prefix { $0 != " " }
        guard ["INSERT", "UPDATE", "DELETE", "MERGE", "COPY"].contains(verb),
            let text = PQcmdTuples(handle)
        else { return 0 }
        return Int(String(cString: text)) ?? 0
    }

    /// What the server did, as it calls it.
    var command: String {
        PQcmdStatus(handle).map { String(cString: $0) } ?? ""
    }
}
