#if Observability
import DBClientCore
import DBClientObservability
import DBClientTesting
import InMemoryLogging
import InMemoryTracing
import Logging
import Metrics
import MetricsTestKit
import Synchronization
import Testing
import Tracing

@Suite("An instrumented client")
struct InstrumentedDBClientTests {
    private let store = InMemoryDBClient()
    private let notes = (1...3).map { Note(id: $0, text: "secret \($0)") }

    private func logger(_ handler: InMemoryLogHandler) -> Logger {
        var logger = Logger(label: "test") { _ in handler }
        logger.logLevel = .trace
        return logger
    }

    @Test("Calls and transactions are logged with their shapes, and no value")
    func logs() async throws {
        let handler = InMemoryLogHandler()
        let client = InstrumentedDBClient(
            store,
            .logging(logger(handler)),
            namespace: "notes"
        )
        try await client.insert(notes)
        _ = try await client.fetch(Note.where { $0.text == "secret 2" }.limit(1))
        await #expect(throws: DBClientError.self) { try await client.insert(notes[0]) }
        #expect(
            handler.entries.map { "\($0.message)" } == [
                "insert Note (3)", "write", "fetch Note where text = ? limit ?", "read",
                "insert Note (1)", "write",
            ]
        )
        #expect(
            handler.entries.map(\.level) == [.debug, .debug, .debug, .debug, .error, .error]
        )
        let failed = handler.entries[4].metadata
        #expect(failed["db.system.name"] == "memory")
        #expect(failed["db.namespace"] == "notes")
        #expect(failed["db.operation.name"] == "insert")
        #expect(failed["db.collection.name"] == "Note")
        #expect(failed["error.type"] == "duplicateKey")
        let seconds = Double("\(failed["db.client.operation.duration"] ?? "")")
        #expect(seconds.map { $0 > 0 && $0 < 60 } == true)
        #expect(!"\(handler.entries)".contains("secret"))
    }

    @Test("Values of requests are logged when they are asked for, and slow work at its level")
    func logOptions() async throws {
        let handler = InMemoryLogHandler()
        let options = DBClientInstrument.LoggingOptions(
            slowLevel: .critical,
            slowThreshold: .zero,
            showsValues: true
        )
        let client = InstrumentedDBClient(store, .logging(logger(handler), options: options))
        _ = try client.blocking.fetch(Note.where { $0.text == "secret 2" })
        #expect("\(handler.entries[0].message)" == #"fetch Note where text = "secret 2""#)
        #expect(handler.entries.map(\.level) == [.critical, .critical])
    }

    @Test("Work is counted and timed by operation, entity and error")
    func metrics() async throws {
        let metrics = TestMetrics()
        let client = InstrumentedDBClient(store, .metrics(metrics))
        try await client.insert(notes)
        for _ in 1...4 { _ = try await client.fetch(Note.all.select(\.text)) }
        await #expect(throws: DBClientError.self) { try await client.insert(notes) }
        func dimensions(_ operation: String, _ entity: String?) -> [(String, String)] {
            [("db.system.name", "memory"), ("db.operation.name", operation)]
                + (entity.map { [("db.collection.name", $0)] } ?? [])
        }
        let timer = try metrics.expectTimer(
            "db.client.operation.duration",
            dimensions("select", "Note")
        )
        #expect(timer.values.count == 4)
        #expect(timer.values.allSatisfy { $0 > 0 })
        let count = try metrics.expectCounter(
            "db.client.operation.count",
            dimensions("read", nil)
        )
        #expect(count.totalValue == 4)
        let errors = try metrics.expectCounter(
            "db.client.operation.errors",
            dimensions("insert", "Note") + [("error.type", "duplicateKey")]
        )
        #expect(errors.totalValue == 1)
    }

    @Test("A transaction is a span of the caller's, and each call is one of the transaction's")
    func traces() async throws {
        let tracer = InMemoryTracer()
        let client = InstrumentedDBClient(store, .tracing(tracer), system: "sqlite")
        try await tracer.withSpan("request") { _ in
            try await client.write { transaction in
                try transaction.insert(notes)
                try transaction.write { try $0.update(Note(id: 1, text: "secret")) }
                // A span of the body's own belongs to the transaction as well.
                tracer.withSpan("work") { _ in }
            }
        }
        await #expect(throws: DBClientError.self) {
            try await client.update(Note(id: 9, text: "secret"))
        }
        let spans = tracer.finishedSpans
        #expect(
            spans.map(\.operationName) == [
                "insert Note", "update Note", "savepoint", "work", "write", "request",
                "update Note", "write",
            ]
        )
        let write = spans[4]
        #expect(write.parentSpanID == spans[5].spanID)
        #expect(spans[0].parentSpanID == write.spanID)
        #expect(spans[1].parentSpanID == spans[2].spanID)
        #expect(spans[2].parentSpanID == write.spanID)
        #expect(spans[3].parentSpanID == write.spanID)
        #expect(spans[0].kind == .client)
        let attributes = spans[0].attributes
        #expect(attributes["db.system.name"]?.toSpanAttribute() == "sqlite")
        #expect(attributes["db.operation.name"]?.toSpanAttribute() == "insert")
        #expect(attributes["db.collection.name"]?.toSpanAttribute() == "Note")
        #expect(attributes["db.operation.batch.size"]?.toSpanAttribute() == 3)
        #expect(write.attributes["error.type"] == nil)
        #expect(spans[6].attributes["error.type"]?.toSpanAttribute() == "notFound")
        #expect(spans[6].status?.code == .error)
        #expect(spans[7].status?.code == .error)
        #expect(tracer.activeSpans.isEmpty)
        #expect(!"\(spans)".contains("secret"))
    }

    @Test("Spans of writers that wait for one another keep to their callers")
    func concurrentTraces() async throws {
        let tracer = InMemoryTracer()
        let client = InstrumentedDBClient(store, .tracing(tracer))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 1...20 {
                group.addTask {
                    try await tracer.withSpan("request \(id)") { _ in
                        try await client.write { transaction in
                            try transaction.insert(Note(id: id, text: ""))
                            tracer.withSpan("work \(id)") { _ in }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let spans = tracer.finishedSpans
        for id in 1...20 {
            let request = try #require(spans.first { $0.operationName == "request \(id)" })
            let write = try #require(spans.first { $0.parentSpanID == request.spanID })
            #expect(write.operationName == "write")
            let inside = spans.filter { $0.parentSpanID == write.spanID }.map(\.operationName)
            #expect(inside == ["insert Note", "work \(id)"])
        }
    }

    @Test("An instrumented client composes with others and is observed")
    func composition() async throws {
        let handler = InMemoryLogHandler()
        let metrics = TestMetrics()
        let client = RetryingDBClient(
            InstrumentedDBClient(
                SpyDBClient(store),
                .logging(logger(handler)),
                .metrics(metrics),
                .tracing(InMemoryTracer())
            )
        )
        var changes = client.observe(Note.all).makeAsyncIterator()
        guard case .initial = try await changes.next() else {
            Testing.Issue.record("There is no initial result.")
            return
        }
        try await client.insert(notes)
        guard case .update(let change) = try await changes.next() else {
            Testing.Issue.record("There is no change.")
            return
        }
        #expect(change.insertions == [0, 1, 2])
        #expect(handler.entries.map { "\($0.message)" } == ["insert Note (3)", "write"])
        #expect(metrics.timers.count == 2)
    }

    @Test("A conflict that is repeated is logged as what succeeds is, one that is not as a failure")
    func repeatedConflicts() async throws {
        let handler = InMemoryLogHandler()
        let instrumented = InstrumentedDBClient(store, .logging(logger(handler)))
        let client = RetryingDBClient(instrumented, policy: .init(attempts: 3, delay: .zero))
        let tries = Mutex(0)
        try await client.write { transaction in
            try transaction.insert(Note(id: 7, text: ""))
            let isLast = tries.withLock { tries in
                tries += 1
                return tries == 3
            }
            if !isLast { throw DBClientError(.transactionConflict, "met another") }
        }
        #expect(
            handler.entries.filter { $0.message == "write" }.map(\.level) == [
                .debug, .debug, .debug,
            ]
        )
        #expect(!handler.entries.contains { $0.level == .error })
        await #expect(throws: DBClientError.self) {
            try await client.write { _ in throw DBClientError(.transactionConflict, "met another") }
        }
        let levels = handler.entries.suffix(3).map(\.level)
        #expect(levels == [.debug, .debug, .error])
        #expect(throws: DBClientError.self) {
            try client.writeBlocking { _ in throw DBClientError(.constraintViolation, "no") }
        }
        #expect(handler.entries.last?.level == .error)
    }

    @Test("A store behind the instruments keeps its promises", arguments: Self.cases)
    func conforms(_ promise: ConformanceCase) async throws {
        let backend = ConformanceBackend.memory("instrumented") {
            InstrumentedDBClient(
                InMemoryDBClient(),
                .logging(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
                .metrics(TestMetrics()),
                .tracing(InMemoryTracer())
            )
        }
        try await ConformanceSuite.run(promise, on: backend)
    }

    private static let cases = ConformanceSuite.cases.filter {
        [.crud, .dynamic, .transactions, .savepoints, .relationships, .select, .grouping, .errors]
            .contains($0.concern)
    }
}

/// A model of two fields.
@Stored struct Note: Equatable {
    var id: Int
    var text: String
}
#endif
