#if os(Linux)
import DBClientCore
import DBClientTesting
import Foundation
import Testing

/// A million rows, read one by one.
///
/// It takes minutes, so it runs only where `DBCLIENT_LONG` is set.
@Suite(
    .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["DBCLIENT_LONG"] != nil, "Set DBCLIENT_LONG.")
)
struct StreamMemoryTests {
    private static let count = 1_000_000
    private static let backends = Backends.chosen.filter { $0.exclusions[.persistence] == nil }

    @Test("A million values are streamed in the memory of a page", arguments: backends)
    func streams(_ backend: ConformanceBackend) async throws {
        let store = try backend.makeStore()
        defer { store.remove() }
        let client = try await store.open()
        for start in stride(from: 0, to: Self.count, by: 20_000) {
            try await client.insert((start..<start + 20_000).map { Line($0) })
        }
        var count = 0
        var least = Int.max
        var most = 0
        for try await line in client.stream(Line.all) {
            if line.id != count { break }
            count += 1
            // What is allocated once, and the first pages of a file's map, come before.
            if count > 100_000, count % 10_000 == 0 {
                let size = try privateMemory()
                (least, most) = (min(least, size), max(most, size))
            }
        }
        #expect(count == Self.count)
        // The values themselves are 240 MB.
        #expect(most - least < 24_000_000, "\(backend): from \(least) to \(most) bytes")
        try client.close()
    }

    /// The resident bytes of the process that no file backs.
    private func privateMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        let kilobytes = try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first)
        return try #require(Int(kilobytes)) * 1024
    }
}

/// A row of 240 bytes.
@Stored private struct Line {
    let id: Int
    let text: String

    init(_ id: Int) {
        self.id = id
        text = String(repeating: "x", count: 230)
    }
}
#endif
