#if Observability
import DBClientCore
public import Logging

extension DBClientInstrument {
    /// The levels at which work is logged, and what a line shows.
    public struct LoggingOptions: Sendable {
        /// The level of what succeeds, and of a failure after which the transaction runs again.
        public var level: Logger.Level
        /// The level of a failed piece of work.
        public var failureLevel: Logger.Level
        /// The level of what succeeds, but takes at least ``slowThreshold``.
        public var slowLevel: Logger.Level
        /// From when on work is slow; nil for never.
        public var slowThreshold: Duration?
        /// Whether the values that requests compare with are logged, which may be secrets.
        ///
        /// Values that are written never are.
        public var showsValues: Bool

        /// Creates options, by default to log at `debug` and failures at `error`, without values.
        public init(
            level: Logger.Level = .debug,
            failureLevel: Logger.Level = .error,
            slowLevel: Logger.Level = .warning,
            slowThreshold: Duration? = nil,
            showsValues: Bool = false
        ) {
            self.level = level
            self.failureLevel = failureLevel
            self.slowLevel = slowLevel
            self.slowThreshold = slowThreshold
            self.showsValues = showsValues
        }
    }

    /// Returns an instrument that logs each call and each transaction when it ends: its shape, its
    /// duration, and why it failed.
    ///
    /// - Parameters:
    ///   - logger: Where to; by default a logger named `DBClient`.
    ///   - options: How.
    /// - Returns: The instrument.
    public static func logging(
        _ logger: Logger = Logger(label: "DBClient"),
        options: LoggingOptions = LoggingOptions()
    ) -> DBClientInstrument {
        DBClientInstrument { LogProbe(logger: logger, options: options, database: $0) }
    }
}

private struct LogProbe: Probe {
    let logger: Logger
    let options: DBClientInstrument.LoggingOptions
    let database: Database

    func end(_ work: Work, _ outcome: Outcome) {
        logger.log(
            level: level(of: work, outcome),
            "\(text(of: work))",
            metadata: metadata(work, outcome)
        )
    }

    private func level(of work: Work, _ outcome: Outcome) -> Logger.Level {
        if let error = outcome.error {
            return isRepeated(work, error) ? options.level : options.failureLevel
        }
        let isSlow = options.slowThreshold.map { outcome.duration >= $0 } ?? false
        return isSlow ? options.slowLevel : options.level
    }

    /// Whether the work is done again: an engine or ``RetryingDBClient`` repeats a transaction that met
    /// another, and one that fails for good is logged itself.
    private func isRepeated(_ work: Work, _ error: any Error) -> Bool {
        guard let code = (error as? DBClientError)?.code else { return false }
        if case .call = work, code == .transactionConflict { return true }
        return RetryingDBClient.repeatedCodes.contains(code)
    }

    private func text(of work: Work) -> String {
        guard case .call(let call) = work else { return work.operation }
        return options.showsValues ? call.shapeWithValues : call.shape
    }

    private func metadata(_ work: Work, _ outcome: Outcome) -> Logger.Metadata {
        let seconds = outcome.duration / .seconds(1)
        var metadata: Logger.Metadata = [
            DatabaseAttribute.system: "\(database.system)",
            DatabaseAttribute.operation: "\(work.operation)",
            DatabaseAttribute.duration: "\(seconds)",
        ]
        metadata[DatabaseAttribute.namespace] = database.namespace.map { "\($0)" }
        metadata[DatabaseAttribute.collection] = work.entity.map { "\($0)" }
        metadata[DatabaseAttribute.error] = outcome.errorType.map { "\($0)" }
        return metadata
    }
}
#endif
