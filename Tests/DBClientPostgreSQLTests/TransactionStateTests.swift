import DBClientCore
import Testing

@testable import DBClientPostgreSQL

/// What a connection makes of the server's errors.
@Suite struct TransactionStateTests {
    @Test(
        "An outdated plan is known whatever the server's language",
        arguments: ["RevalidateCachedQuery", "ExecInitFunc", nil]
    )
    func outdatedPlan(function: String?) {
        let server = PostgreSQLServerError(
            sqlState: "0A000",
            message: "gecachter Plan darf den Ergebnistyp nicht ändern",
            detail: nil,
            hint: nil,
            table: nil,
            column: nil,
            constraint: nil,
            function: function
        )
        let error = DBClientError(
            .engine,
            "PostgreSQL failed.",
            engineCode: .sqlState("0A000"),
            engineMessage: server.debugDescription,
            underlying: server
        )
        var state = TransactionState()
        state.note(error)
        #expect((state.verdict == .staleSchema) == (function == "RevalidateCachedQuery"))
    }
}
