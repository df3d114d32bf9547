import DBClientCore

/// A call by itself that is run by a thread which must not wait for the server.
struct CallSuspension {
    /// How far the call has come.
    enum Progress {
        /// The body runs, and has sent no statement yet.
        case begun
        /// The statement was sent, and its answer has not arrived; the body is to be left.
        case awaited
        case answered
    }

    var progress = Progress.begun
    /// The call's statement, while its answer is awaited.
    var sent: SentCall?
    /// Whether the call wants what it would have to wait for.
    var isRefused = false
}

/// A statement that was sent with its parameters.
struct SentCall {
    let statement: PostgreSQLStatement
    /// The parameters, once the body was left, which may set others when it runs again.
    var parameters: [UInt8] = []
    /// The last result that has arrived.
    var result: Result?
}

/// Thrown out of the body of a call that has to wait.
struct CallIsSuspended: Error {
    /// The one that all calls throw.
    static let error: any Error = CallIsSuspended()
}
