import DBClientCore
import Foundation

/// The form of a file of rows.
package enum FileFormat: String, CaseIterable, Sendable {
    /// A JSON object a line, between a first and a last line that tell that the file is whole.
    case jsonl
    /// Comma-separated values of one entity.
    case csv
}

/// Writes the rows of entities to a file, in constant memory and from one snapshot.
struct Exporter {
    let store: Store
    /// The entities in the order in which they are written, followed by their links.
    let entities: [EntitySchema]
    let format: FileFormat
    let progress = Progress()

    /// The lines of JSON that begin and end a file.
    static let head = "dbclient"
    static let end = "dbclient.end"

    /// Creates an export of entities, and of the links between their rows.
    ///
    /// - Throws: ``ToolError`` where the format has room for one entity alone.
    init(_ store: Store, _ entities: [EntitySchema], _ format: FileFormat) throws {
        guard format == .jsonl || entities.count == 1 else {
            throw ToolError(
                "A CSV file has the rows of one entity; the store has \(entities.count).",
                hint: "Name one, or write JSON Lines."
            )
        }
        self.store = store
        self.format = format
        var all: [EntitySchema] = entities
        if format == .jsonl {
            for link in entities.flatMap(\.links) where !all.contains(link) { all.append(link) }
        }
        self.entities = all
    }

    /// Writes everything to a file, and returns the number of rows.
    func run(to file: FileHandle) async throws -> Int {
        defer { progress.end() }
        let output = BufferedOutput(file)
        return try await store.client.read { transaction in
            try output.begin()
            let count = try write(transaction, to: output)
            try output.flush()
            return count
        }
    }

    private func write(_ transaction: ReadTransaction, to output: BufferedOutput) throws -> Int {
        var count = 0
        if format == .jsonl {
            let names = entities.map { JSONText.quoted($0.name) }.joined(separator: ",")
            try output.write("{\(JSONText.quoted(Self.head)):1,\"entities\":[\(names)]}\n")
        }
        for entity in entities {
            let name = JSONText.quoted(entity.name)
            let fields = entity.fields.map(\.name)
            if format == .csv { try output.write(CSV.line(fields)) }
            try transaction.forEach(DynamicRequest(entity)) { row in
                count += 1
                switch format {
                case .jsonl: try output.write("{\(name):\(JSONText.object(row))}\n")
                case .csv:
                    try output.write(CSV.line(fields.map { row[$0].flatMap(FieldText.text) }))
                }
                if count % 1_000 == 0 { progress.tell(entity.name, rows: count, fraction: nil) }
                return true
            }
        }
        if format == .jsonl {
            try output.write("{\(JSONText.quoted(Self.end)):{\"rows\":\(count)}}\n")
        }
        return count
    }
}
