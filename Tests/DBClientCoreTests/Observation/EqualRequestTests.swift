import DBClientTesting
import Dispatch
import Testing

@testable import DBClientCore

struct EqualRequestTests {
    @Test("An observer that comes while an equal request is read again gets its values")
    func joinsAReading() async throws {
        let client = InMemoryDBClient()
        let link = Link(id: 1, next: nil)
        try await client.insert([link, Link(id: 2, next: 1)])
        let query = try Link.where { $0.next.isMarked == false }.rowQuery()
        var first = client.observe(Link.where { $0.next.isMarked == false }).makeAsyncIterator()
        _ = try await first.next()
        let (hub, reader) = try client.observation.reader(ObserverIdentity())
        let gate = DispatchSemaphore(value: 0)
        hub.perform { _ in gate.wait() }
        // The result has to look, and will find nothing new.
        try await client.write { transaction in
            try transaction.update(Link.self, key: 1) { $0.set(\.isMarked, to: true) }
            try transaction.update(Link.self, key: 1) { $0.set(\.isMarked, to: false) }
        }
        let coder = ConvertingCoder<Link>()
        let second = ObservedResult(
            (hub, reader),
            ObservationDesk.ResultID(query: query, coder),
            ContentComparison(sections: nil)
        ) { ReloadingResult(query, coder, $0) }
        gate.signal()
        let watchdog = Task {
            try await Task.sleep(for: .seconds(10))
            reader.cancel()
        }
        let step = try await second.reader.next()
        watchdog.cancel()
        #expect(step?.new.range.count == 1)
    }
}

/// Refers to its own kind.
struct Link: Stored {
    let id: Int
    var isMarked = false
    var next: Reference<Link>?

    init(id: Int, next: Int?) {
        self.id = id
        self.next = next.map { Reference($0) }
    }

    static let schema = Schema<Link>(
        name: "Link",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.isMarked, "isMarked"),
            .field(\.next, "next"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        isMarked = try row.read()
        next = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(isMarked)
        try row.write(next)
    }
}
