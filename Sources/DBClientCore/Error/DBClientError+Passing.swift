extension DBClientError {
    /// Whether an observer that has something to show waits until reading works again: for a server that is
    /// away, that has no connection left, or that answers too late.
    var isTransient: Bool { [.connectionLost, .busy, .timeout].contains(code) }
}

extension Duration {
    /// The time between two attempts to read what is observed.
    static var retryInterval: Duration { .milliseconds(100) }
}
