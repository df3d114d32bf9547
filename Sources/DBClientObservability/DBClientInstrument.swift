#if Observability
/// An instrument that watches the work of an ``InstrumentedDBClient``: a log, metrics, traces.
public struct DBClientInstrument: Sendable {
    /// Returns the probe that watches one transaction.
    let probe: @Sendable (Database) -> any Probe

    init(_ probe: @escaping @Sendable (Database) -> any Probe) {
        self.probe = probe
    }
}
#endif
