package import ArgumentParser
import DBClientCore
import Foundation

/// Prints the rows of a request.
package struct QueryCommand: StoreCommand {
    /// The form of the output.
    package enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
        case table
        case json
        case csv
    }

    package static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Prints the rows of an entity that fulfil a condition.",
        discussion: """
            A condition compares fields with = != < <= > >=, is null, is not null, in (1, 2), like 'I*', \
            begins 'I', ends 'n', contains 'ron', joined by and, or, not and parentheses. Text and dates are \
            in single quotes, a quote within is doubled, and a name that is no plain word is in double quotes. \
            like knows * for any text and ? for one character; a list is searched for nothing but the whole.

            Values are never a part of a statement, whatever they look like.

            Example: dbclient query heroes.store Hero "year < 1970 and name begins 'I'" --sort "year desc"
            """
    )

    @Argument(help: "The store: a path or a postgres:// URL.")
    var store: String
    @Argument(help: "The entity.")
    var entity: String
    @Argument(help: "The condition; all rows by default.")
    var condition: String?
    @OptionGroup var keys: KeyOptions
    @Option(help: "The fields to sort by, as in \"year desc, name\"; the key by default.")
    var sort: String?
    @Option(help: "The greatest number of rows; 100 for a table by default, else all.")
    var limit: Int?
    @Option(help: "How many rows are skipped first.")
    var offset = 0
    @Option(help: "The fields to print, separated by commas; all by default.")
    var fields: String?
    @Option(help: "table, json or csv.")
    var format = Format.table
    @Flag(help: "Print the number of rows alone.")
    var count = false

    package init() {}

    package func perform() async throws -> Bool {
        try await Store.with(store, key: keys.key(), trustsSchema: keys.trustsSchema) { store in
            let entity = try await store.entities(named: [self.entity])[0]
            let request = try request(of: entity)
            if count {
                try Terminal.write("\(try await store.client.count(request))\n")
                return true
            }
            let names = try fieldNames(of: entity)
            switch format {
            case .table: try await printTable(request, names, store)
            case .json: try await printJSON(request, names, store)
            case .csv: try await printCSV(request, names, store)
            }
            return true
        }
    }

    private func request(of entity: EntitySchema) throws -> DynamicRequest {
        var request = DynamicRequest(entity).offset(offset)
            .limit(limit ?? (format == .table && !count ? Self.tableLimit : nil))
        if let condition {
            request = request.filter(
                try QueryParser.condition(condition, of: entity, note: Terminal.note)
            )
        }
        if let sort { request.sorts = try QueryParser.sorts(sort, of: entity) }
        return try request.validated()
    }

    private static let tableLimit = 100

    private func fieldNames(of entity: EntitySchema) throws -> [String] {
        guard let fields else { return entity.fields.map(\.name) }
        return try fields.split(separator: ",").map { part in
            let name = part.trimmingCharacters(in: .whitespaces)
            guard entity.position(of: name) != nil else {
                throw ToolError(
                    "\(entity.name) has no field \"\(name)\".",
                    hint: "Its fields are \(entity.fields.map(\.name).joined(separator: ", "))."
                ).ofArgument
            }
            return name
        }
    }

    private func printTable(
        _ request: DynamicRequest,
        _ names: [String],
        _ store: Store
    ) async throws {
        let fields = names.compactMap { name in
            request.entity.position(of: name).map { request.entity.fields[$0] }
        }
        var table = TextTable(
            names,
            alignsRight: fields.map {
                [.integer, .real].contains($0.type.slotKind) && $0.type != .date
            }
        )
        for row in try await store.client.fetch(request) {
            table.add(names.map { row[$0].flatMap(FieldText.text) ?? "" })
        }
        try Terminal.write(table.text)
        guard limit == nil, try await store.client.count(request) == Self.tableLimit else { return }
        Terminal.note("There may be more rows: --limit shows them.")
    }

    private func printJSON(
        _ request: DynamicRequest,
        _ names: [String],
        _ store: Store
    ) async throws {
        let output = BufferedOutput(.standardOutput)
        try await store.client.read { transaction in
            try output.begin()
            var separator = "["
            try transaction.forEach(request) { row in
                try output.write("\(separator)\n  \(JSONText.object(row, fields: names))")
                separator = ","
                return true
            }
            try output.write(separator == "[" ? "[]\n" : "\n]\n")
            try output.flush()
        }
    }

    private func printCSV(
        _ request: DynamicRequest,
        _ names: [String],
        _ store: Store
    ) async throws {
        let output = BufferedOutput(.standardOutput)
        try await store.client.read { transaction in
            try output.begin()
            try output.write(CSV.line(names))
            try transaction.forEach(request) { row in
                try output.write(CSV.line(names.map { row[$0].flatMap(FieldText.text) }))
                return true
            }
            try output.flush()
        }
    }
}
