import DBClientCore
import Foundation

/// Inserts the rows of a file into a store: all of them, or none.
struct Importer: Sendable {
    let store: Store
    let format: FileFormat
    /// The entity of the rows of a CSV file.
    let entity: String?
    /// The path; nil for the standard input, which is read once.
    let path: String?

    /// Returns the number of rows that were inserted.
    ///
    /// - Throws: ``ToolError`` with the line and the column where the file is not what the store has.
    func run() async throws -> Int {
        let catalog = try await EntityCatalog(storedIn: store.client)
        let attempts = Attempts()
        let progress = Progress()
        defer { progress.end() }
        return try await store.client.write { transaction in
            let file = try open(attempts.next())
            defer { if path != nil { try? file.close() } }
            var rows: any RowSource =
                switch format {
                case .jsonl: try JSONLinesSource(ByteReader(file), catalog)
                case .csv: try CSVSource(ByteReader(file), catalog.entity(named: entity ?? ""))
                }
            var count = 0
            do {
                return try transaction.insert {
                    count += 1
                    if count % 1_000 == 0 { progress.tell("import", rows: count, fraction: nil) }
                    return try rows.next()
                }
            } catch let error as DBClientError {
                // Rows are written some hundred at a time, so the line is one after that of the row.
                throw ImportFailure(error, near: rows.line)
            }
        }
    }

    private func open(_ attempt: Int) throws -> FileHandle {
        guard let path else {
            if attempt > 1 {
                throw ToolError(
                    "The import met the write of another program, and the input cannot be read again.",
                    hint: "Run it again, or import a file."
                )
            }
            return FileHandle.standardInput
        }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw ToolError("There is no file \(path) that can be read.")
        }
        return file
    }
}

/// An error of the store while a file was imported.
struct ImportFailure: Error {
    let error: DBClientError
    let line: Int

    init(_ error: DBClientError, near line: Int) {
        self.error = error
        self.line = line
    }
}

/// How often a transaction was begun.
private final class Attempts: @unchecked Sendable {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}

/// Rows that are read from a file one at a time.
protocol RowSource {
    /// The number of the line that was read last.
    var line: Int { get }

    /// Returns the next row; nil after the last one.
    mutating func next() throws -> DynamicRow?
}
