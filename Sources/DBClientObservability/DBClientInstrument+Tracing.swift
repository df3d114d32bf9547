#if Observability
import DBClientCore
import Synchronization
public import Tracing

extension DBClientInstrument {
    /// Returns an instrument that makes a span of each transaction, with a span in it for each call.
    ///
    /// Spans are of the kind `client`, named by operation and entity, and carry the attributes of
    /// ``DatabaseAttribute``. A transaction's span belongs to the one that is current where the client is
    /// called; inside its body, on whatever thread it runs, the transaction's span is current.
    ///
    /// - Parameter tracer: Where to; nil for the one that the process was bootstrapped with.
    /// - Returns: The instrument.
    public static func tracing(_ tracer: (any Tracer)? = nil) -> DBClientInstrument {
        DBClientInstrument {
            SpanProbe(tracer: tracer ?? InstrumentationSystem.tracer, database: $0)
        }
    }
}

/// The spans of a transaction that have begun and not ended.
private final class SpanProbe: Probe {
    private let tracer: any Tracer
    private let database: Database
    private let open = Mutex<[any Tracing.Span]>([])

    init(tracer: any Tracer, database: Database) {
        self.tracer = tracer
        self.database = database
    }

    func begin(_ work: Work) {
        // A body may run on a thread of the engine's, where nothing or something else is current.
        let parent = open.withLock { $0.last?.context } ?? .current ?? .topLevel
        let span = start(on: tracer, name(of: work), parent)
        span.attributes[DatabaseAttribute.system] = database.system
        span.attributes[DatabaseAttribute.operation] = work.operation
        if let namespace = database.namespace {
            span.attributes[DatabaseAttribute.namespace] = namespace
        }
        if case .call(let call) = work {
            if let entity = call.entity { span.attributes[DatabaseAttribute.collection] = entity }
            if call.query != nil { span.attributes[DatabaseAttribute.query] = call.shape }
            if let statement = call.statement {
                span.attributes[DatabaseAttribute.query] = statement
            }
            if let count = call.givenCount, count > 1 {
                span.attributes[DatabaseAttribute.batchSize] = count
            }
        }
        open.withLock { $0.append(span) }
    }

    func end(_ work: Work, _ outcome: Outcome) {
        guard let span = open.withLock({ $0.popLast() }) else { return }
        if let type = outcome.errorType {
            span.attributes[DatabaseAttribute.error] = type
            // No message: an error of a body's own may tell stored values.
            span.setStatus(SpanStatus(code: .error))
        }
        span.end()
    }

    func inContext<Value>(_ body: () throws -> Value) throws -> Value {
        guard let span = open.withLock({ $0.last }) else { return try body() }
        return try ServiceContext.withValue(span.context, operation: body)
    }

    private func start(
        on tracer: some Tracer,
        _ name: String,
        _ parent: ServiceContext
    ) -> any Tracing.Span {
        tracer.startSpan(name, context: parent, ofKind: .client)
    }

    private func name(of work: Work) -> String {
        guard let target = work.entity ?? database.namespace else { return work.operation }
        return "\(work.operation) \(target)"
    }
}
#endif
