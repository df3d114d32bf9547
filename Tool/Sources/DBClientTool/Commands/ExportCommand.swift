package import ArgumentParser
import DBClientCore
import Foundation

extension FileFormat: ExpressibleByArgument {}

/// Writes the rows of a store to a file.
package struct ExportCommand: StoreCommand {
    package static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the rows of a store to a file of JSON Lines or CSV.",
        discussion: """
            A file of JSON Lines has all entities, or those that are named, and the links of their lists; its \
            first and last lines tell whether it is whole. A CSV file has the rows of one entity: nothing \
            between two commas is an absent value. Dates are ISO 8601 in UTC, data is base64. It is one \
            snapshot of the store. A file gets its name once it is whole. A store is never replaced. What no \
            entity can show, such as a table without a key, is refused, and left out with --partial.

            Example: dbclient export heroes.store --output heroes.jsonl
            """
    )

    @Argument(help: "The store: a path or a postgres:// URL.")
    var store: String
    @OptionGroup var keys: KeyOptions
    @Option(help: "An entity; all by default, and several where it is given several times.")
    var entity: [String] = []
    @Option(help: "jsonl or csv.")
    var format = FileFormat.jsonl
    @Option(name: .shortAndLong, help: "The file; the standard output by default and for -.")
    var output: String?
    @Flag(help: "Leave out what no entity can show.")
    var partial = false
    @Flag(help: "Replace the file without being asked.")
    var yes = false

    package init() {}

    package func perform() async throws -> Bool {
        let output = output == "-" ? nil : output
        if let output { try Self.checkReplaceable(output) }
        return try await Store.with(store, key: keys.key(), trustsSchema: keys.trustsSchema) {
            store in
            let selection = try await Selection(
                of: store,
                named: entity,
                withRelatives: false,
                partial: partial,
                for: "export"
            )
            let exporter = try Exporter(store, selection.entities, format)
            guard let output else {
                _ = try await exporter.run(to: .standardOutput)
                return true
            }
            if OutputFile.exists(output) {
                try Terminal.confirm("Replace the file \(output)?", unless: yes)
            }
            let count = try await write(exporter, to: output)
            Terminal.note("\(count) rows")
            return true
        }
    }

    /// Throws where something that is no file of text would be replaced, now or while the file is not whole.
    private static func checkReplaceable(_ path: String) throws {
        for path in [path, path + ".partial"] { try OutputFile.checkReplaceable(path) }
    }

    private func write(_ exporter: Exporter, to path: String) async throws -> Int {
        let partial = path + ".partial"
        guard
            FileManager.default.createFile(
                atPath: partial,
                contents: nil,
                attributes: [.posixPermissions: 0o600]
            ), let file = FileHandle(forWritingAtPath: partial)
        else { throw ToolError("The file \(partial) cannot be written.") }
        do {
            let count = try await exporter.run(to: file)
            try file.synchronize()
            try file.close()
            try OutputFile.checkReplaceable(path)
            guard rename(partial, path) == 0 else {
                throw ToolError("The file \(path) cannot be written.")
            }
            return count
        } catch {
            try? file.close()
            unlink(partial)
            throw error
        }
    }
}
