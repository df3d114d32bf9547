// For what a backend's module adds to transactions.
extension ReadTransaction {
    /// The engine's side of the transaction; its calls go past the client's decorators.
    ///
    /// - Throws: `.transactionEnded` when the transaction is over; `.readOnly` where rows could be written with
    ///   it that a decorator checks, or refuses to write.
    public final var engineReader: any EngineReader {
        get throws {
            try checkReachesRows()
            return try reader()
        }
    }

    /// The same without what captures writes for observers and keeps stored views, for verbs that only this engine has.
    ///
    /// A caller that writes through it asks ``writesRows`` first, calls it inside ``intercept(_:_:)``, and
    /// calls ``noteUntrackedWrite()`` afterwards.
    ///
    /// - Throws: What ``engineReader`` throws, and `.unsupported` in a body that is observed by what it reads, which is
    ///   not known of such verbs.
    public final var storeReader: any EngineReader {
        get throws {
            let reader = try engineReader
            guard reader is TrackingReader else {
                let below = (reader as? ViewWriter)?.base ?? reader
                return (below as? CapturingWriter)?.base ?? below
            }
            throw DBClientError(
                .unsupported,
                "A body that is observed by what it reads must not run statements of the engine's own.",
                hint: "Observe a request beside it: client.observe(request) { transaction in … }."
            )
        }
    }

    /// Whether rows may be written past the models: not in a read, nor where a decorator checks what is
    /// written.
    public final var writesRows: Bool {
        self is WriteTransaction && !interceptors.contains(where: \.checksValues)
    }

    /// Whether rows may be read and written past the models: in a read, and in a write that
    /// ``writesRows``.
    final var reachesRows: Bool { writesRows || !isPartOfWrite }

    private func checkReachesRows() throws {
        guard reachesRows else {
            throw DBClientError(
                .readOnly,
                "A client that validates or only reads must not be used to reach rows in a write."
            )
        }
    }

    /// Tells the observers of the store that rows were written past the verbs of `EngineWriter`, once the
    /// transaction commits.
    ///
    /// What they observe is then read again and compared.
    public final func noteUntrackedWrite() {
        recorder?.noteUntrackedWrite()
        openContext?.noteWrite()
    }

    /// Keeps an observer from being notified of the transaction, since it knows already.
    final func silence(_ observer: ObservationToken) {
        recorder?.silence(observer.identity)
    }

    /// What writes down the transaction's writes for observers; nil where there are none.
    private final var recorder: CommitRecorder? {
        guard let reader = try? reader() else { return nil }
        let below = (reader as? ViewWriter)?.base ?? reader
        return (below as? CapturingWriter)?.recorder
    }
}
