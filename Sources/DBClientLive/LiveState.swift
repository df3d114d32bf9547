public import DBClientCore

/// Whether a live object has what its request finds.
public enum LiveState: Sendable {
    /// The first result of the request is on its way. What is shown is that of the request before, or nothing.
    case loading
    /// What is shown is what the request finds, at a moment between two commits.
    case ready
    /// An error has ended it: what is shown is the last that was read, and gets older.
    ///
    /// Errors that pass are retried by themselves (``LiveRetry``), and this is the state until then.
    case failed(DBClientError)

    /// The error that has ended it; nil unless the state is ``failed(_:)``.
    public var error: DBClientError? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// Whether the first result of the request is on its way.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }

    /// Whether what is shown is what the request finds.
    public var isReady: Bool {
        if case .ready = self { true } else { false }
    }
}
