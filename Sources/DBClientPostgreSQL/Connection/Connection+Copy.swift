import CLibPQ

extension PostgreSQLConnection {
    /// Runs a COPY statement into which a body writes rows, and returns how many rows there were.
    func copy(
        _ sql: String,
        _ types: [ServerType],
        _ body: (inout CopyWriter) throws -> Void
    ) throws -> Int {
        // COPY does not go through a pipeline; the control statements go before it in one text.
        let controls = pending
        pending.removeAll(keepingCapacity: true)
        let text = (controls + [sql]).joined(separator: "; ")
        try start([{ PQsendQuery($0, text) }])
        if !controls.isEmpty { state.hasBegun = true }
        try awaitCopy(after: controls)
        var writer = CopyWriter(self, types)
        defer { writer.deallocate() }
        do {
            try body(&writer)
            try writer.end()
        } catch {
            // A server that did not take the rows in time would be waited for once more.
            if !link.isBroken {
                try endCopy("The rows could not be written.")
                _ = try? finish()
            }
            throw error
        }
        try endCopy(nil)
        return try finish().changedCount
    }

    /// Reads up to where the server asks for rows.
    private func awaitCopy(after controls: [String]) throws {
        var answered = 0
        while let result = try link.nextResult(deadline) {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_COPY_IN: return
            case PGRES_COMMAND_OK: answered += 1
            case PGRES_TUPLES_OK:
                answered += 1
                if let text = PQgetvalue(result, 0, 0) {
                    state.number = UInt64(String(cString: text))
                }
            default:
                let error = failure(of: result)
                while let rest = try link.nextResult(deadline) { PQclear(rest) }
                // A server that cannot read one statement runs none of the text.
                let suspects = answered > 0 ? controls.dropFirst(answered).prefix(1) : controls[...]
                for feature in suspects.compactMap(PostgreSQLFeature.neededAhead)
                where noteRefusal(error, of: feature) {
                    break
                }
                throw error
            }
        }
        throw link.broken()
    }

    /// Hands bytes of a COPY to libpq and waits while the server does not take them.
    func putCopyData(_ bytes: UnsafeRawBufferPointer) throws {
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        while true {
            switch PQputCopyData(link.handle, start, Int32(truncatingIfNeeded: bytes.count)) {
            case 1: return try link.flush(renewedDeadline())
            case 0: try link.wait(for: writable, renewedDeadline())
            default: throw link.broken()
            }
        }
    }

    private func endCopy(_ failure: String?) throws {
        while true {
            switch PQputCopyEnd(link.handle, failure) {
            case 1: return try link.flush(renewedDeadline())
            case 0: try link.wait(for: writable, renewedDeadline())
            default: throw link.broken()
            }
        }
    }
}
