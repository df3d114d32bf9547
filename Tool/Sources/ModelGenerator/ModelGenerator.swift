import DBClientCore

/// Makes Swift models of the tables of a database.
///
/// ```swift
/// let models = try await ModelGenerator().models(of: .sqlite(url))
/// try models.write(to: folder)
/// ```
///
/// The same database gives the same bytes, in whatever order its tables were made.
public struct ModelGenerator: Sendable {
    private let options: GeneratorOptions

    /// Creates a generator.
    public init(_ options: GeneratorOptions = GeneratorOptions()) {
        self.options = options
    }

    /// Returns the models of a database, which is only read.
    ///
    /// - Throws: `.notFound` where there is no such file, schema, or table that the options name; what opening the
    ///   database throws.
    public func models(of source: ModelSource) async throws -> GeneratedModels {
        try models(of: await source.catalog())
    }

    func models(of catalog: DatabaseCatalog) throws -> GeneratedModels {
        let named = (options.tables ?? []).union(options.keys.keys)
        if let missing = named.sorted().first(where: { name in
            !catalog.tables.contains { $0.name == name }
        }) {
            throw DBClientError(
                .notFound,
                "The database has no table of this name.",
                entity: missing
            )
        }
        var planner = ModelPlanner(catalog, options)
        let plans = planner.plans()
        let writer = SwiftWriter(access: options.access, schema: options.schema)
        var files = plans.map(writer.file)
        files += planner.usedEnums.map { writer.file(of: $0.type, named: $0.name) }
        if planner.usesJSON { files.append(JSONValueFile.file(writer)) }
        return GeneratedModels(
            files: files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) },
            notices: planner.notices
        )
    }
}
