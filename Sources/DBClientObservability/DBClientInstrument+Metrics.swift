#if Observability
import DBClientCore
public import Metrics
import Synchronization

extension DBClientInstrument {
    /// Returns an instrument that counts and times calls and transactions.
    ///
    /// The timer ``DatabaseAttribute/duration`` has a series for each system, namespace, operation and
    /// entity, and for each kind of error, so it counts as well. The counters
    /// `db.client.operation.count` and `db.client.operation.errors` tell the same to systems whose timers
    /// do not count.
    ///
    /// - Parameter factory: Where to; nil for the one that the process was bootstrapped with.
    /// - Returns: The instrument.
    public static func metrics(_ factory: (any MetricsFactory)? = nil) -> DBClientInstrument {
        let series = SeriesOfClients(factory)
        return DBClientInstrument { MetricsProbe(series: series, database: $0) }
    }
}

private struct MetricsProbe: Probe {
    let series: SeriesOfClients
    let database: Database

    func end(_ work: Work, _ outcome: Outcome) {
        let series = series.series(of: work, outcome.errorType, database)
        series.timer.recordNanoseconds(Int64(outcome.duration / .nanoseconds(1)))
        series.count.increment()
        if outcome.error != nil { series.errors.increment() }
    }
}

/// The metrics of every operation, entity and error so far; there are as many as the program has kinds
/// of calls.
private final class SeriesOfClients: Sendable {
    struct Series: Sendable {
        let timer: Metrics.Timer
        let count: Counter
        let errors: Counter
    }

    private struct Key: Hashable {
        let system: String
        let namespace: String?
        let operation: String
        let entity: String?
        let error: String?
    }

    private let factory: (any MetricsFactory)?
    private let series = Mutex<[Key: Series]>([:])

    init(_ factory: (any MetricsFactory)?) {
        self.factory = factory
    }

    func series(of work: Work, _ error: String?, _ database: Database) -> Series {
        let key = Key(
            system: database.system,
            namespace: database.namespace,
            operation: work.operation,
            entity: work.entity,
            error: error
        )
        return series.withLock { series in
            if let known = series[key] { return known }
            let made = make(key)
            series[key] = made
            return made
        }
    }

    private func make(_ key: Key) -> Series {
        let factory = factory ?? MetricsSystem.factory
        var dimensions = [
            (DatabaseAttribute.system, key.system), (DatabaseAttribute.operation, key.operation),
        ]
        if let namespace = key.namespace {
            dimensions.append((DatabaseAttribute.namespace, namespace))
        }
        if let entity = key.entity { dimensions.append((DatabaseAttribute.collection, entity)) }
        if let error = key.error { dimensions.append((DatabaseAttribute.error, error)) }
        return Series(
            timer: Metrics.Timer(
                label: DatabaseAttribute.duration,
                dimensions: dimensions,
                factory: factory
            ),
            count: Counter(
                label: "db.client.operation.count",
                dimensions: dimensions,
                factory: factory
            ),
            errors: Counter(
                label: "db.client.operation.errors",
                dimensions: dimensions,
                factory: factory
            )
        )
    }
}
#endif
