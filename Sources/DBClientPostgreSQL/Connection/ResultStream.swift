import CLibPQ
import DBClientCore

/// The rows of a statement as they come, one result for each.
///
/// When another statement wants the connection, the rows that are still to come are read into memory
/// first.
final class ResultStream {
    private let connection: PostgreSQLConnection
    private var waiting: [OpaquePointer] = []
    private var position = 0
    private var hasEnded = false
    private var failure: (any Error)?
    /// How long the server is waited for in all, where it has no limit of its own.
    var limit: Duration?
    /// How long it was waited for.
    private var waited = Duration.zero
    /// Whether the caller stopped before the last row.
    private(set) var isAbandoned = false

    /// So many rows are read and forgotten in less time than the server takes to end the statement.
    private static let forgottenLimit = 4_096

    init(_ connection: PostgreSQLConnection) {
        self.connection = connection
    }

    /// Returns the next row, which the caller frees; nil after the last one.
    func next() throws -> OpaquePointer? {
        if position < waiting.count {
            defer { position += 1 }
            return waiting[position]
        }
        if let failure { throw failure }
        return hasEnded ? nil : try receive()
    }

    /// Returns the next row, which the caller frees, if it has arrived.
    func nextIfThere() throws -> OpaquePointer? {
        if position >= waiting.count, failure == nil, hasEnded || connection.link.isBusy {
            return nil
        }
        return try next()
    }

    /// Reads what is still to come into memory.
    func readRest() throws {
        do {
            while !hasEnded, let row = try receive() {
                if isAbandoned { PQclear(row) } else { waiting.append(row) }
            }
        } catch {
            failure = error
            throw error
        }
    }

    /// Reads what is still to come and forgets it; where that is much and the transaction only reads, it is
    /// left until another statement is sent or the transaction ends.
    func close() {
        while position < waiting.count {
            PQclear(waiting[position])
            position += 1
        }
        do {
            var count = 0
            while !hasEnded, let row = try receive() {
                PQclear(row)
                count += 1
                if count == Self.forgottenLimit, connection.mayAbandonRows {
                    isAbandoned = true
                    return
                }
            }
        } catch {
            hasEnded = true
        }
        connection.forget(self)
    }

    /// Returns the next result, or ends a statement that the server takes too long for.
    private func nextResult() throws -> OpaquePointer? {
        guard let limit, connection.link.isBusy else { return try connection.next() }
        let begin = ContinuousClock.now
        defer { waited += ContinuousClock.now - begin }
        do {
            let rest = max(limit - waited, .milliseconds(1))
            return try connection.waiting(atMost: rest) { try connection.next() }
        } catch let error as DBClientError where error.code == .timeout && connection.link.isBroken
        {
            // The connection is closed, which a server at work does not notice.
            _ = connection.canceller.request()
            throw error
        }
    }

    private func receive() throws -> OpaquePointer? {
        do {
            while let result = try nextResult() {
                switch PQresultStatus(result) {
                case PGRES_SINGLE_TUPLE: return result
                case PGRES_TUPLES_OK, PGRES_COMMAND_OK: PQclear(result)
                default:
                    defer { PQclear(result) }
                    let error = connection.failure(of: result)
                    while let rest = try connection.next() { PQclear(rest) }
                    throw error
                }
            }
        } catch {
            hasEnded = true
            connection.forget(self)
            throw error
        }
        hasEnded = true
        connection.forget(self)
        connection.succeed()
        return nil
    }
}
