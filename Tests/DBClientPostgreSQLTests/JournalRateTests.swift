import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientPostgreSQL

private let pgbench =
    (["/usr/bin/pgbench"]
    + ["17", "16", "15", "14", "13"].map { "/usr/lib/postgresql/\($0)/bin/pgbench" })
    .first { FileManager.default.isExecutableFile(atPath: $0) }

/// What the journal costs programs that write to its tables at the same time.
@Suite(
    .serialized,
    .enabled(if: Server.isThere && Server.isLong && pgbench != nil)
)
struct JournalRateTests {
    @Test("Programs commit nearly as often with the journal as without it", arguments: [1, 16, 64])
    func rate(clients: Int) async throws {
        try await Server.withClient { client, schema in
            try await client.insert([Counter(0)])
            try await client.execute("CREATE TABLE plain (LIKE \"Counter\" INCLUDING ALL)")
            try await client.execute("CREATE SEQUENCE numbers START 1 CACHE 100")
            try await client.installPostgreSQLJournal(for: Counter.self)
            var rounds: [(plain: Double, noted: Double)] = []
            // In turn, since others may be at work on the machine.
            for _ in 0..<9 {
                let plain = try await Self.rate("plain", schema, clients)
                rounds.append((plain, try await Self.rate("\"Counter\"", schema, clients)))
            }
            func median(_ value: ((plain: Double, noted: Double)) -> Double) -> Double {
                rounds.map(value).sorted()[rounds.count / 2]
            }
            let share = median { $0.noted / $0.plain }
            print(
                "journal: \(clients) clients, medians of \(Int(median { $0.plain })) commits/s without it "
                    + "and \(Int(median { $0.noted })) with it, of the shares \(Int(share * 100)) %"
            )
            // Where they waited for each other it was a tenth.
            #expect(share > 0.6)
        }
    }

    /// Returns how many rows some clients insert in a second, each in a transaction.
    private static func rate(
        _ table: String,
        _ schema: String,
        _ clients: Int
    ) async throws -> Double {
        let script = FileManager.default.temporaryDirectory
            .appendingPathComponent("DBClientRate-\(UUID().uuidString).sql")
        defer { try? FileManager.default.removeItem(at: script) }
        let insert = """
            INSERT INTO "\(schema)".\(table) VALUES (nextval('"\(schema)".numbers'), 1);
            """
        try Data(insert.utf8).write(to: script)
        let output = try await Program.run(
            try #require(pgbench),
            [
                "-n", "-M", "prepared", "-f", script.path, "-c", "\(clients)", "-T", "3",
                try #require(Server.url),
            ]
        )
        let line = output.split(separator: "\n").first { $0.hasPrefix("tps = ") }
        let number = try #require(line?.split(separator: " ").dropFirst(2).first)
        return try #require(Double(number))
    }
}
