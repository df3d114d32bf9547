extension RowQuery {
    /// Says of each entity that the query reads what it has to do with stored views, a line each, as `explain` prints it.
    ///
    /// - Throws: What is wrong with a definition.
    func linesOfViews() throws -> [String] {
        let entities = rowDependencies.filter(\.hasViews)
        return try entities.sorted { $0.name < $1.name }.map { entity in
            let views = entity.views
            if let failure = views.failure { throw failure }
            if entity.isView {
                let sources = views.sources.map(\.name).joined(separator: ", ")
                return "\(entity.name) is a stored view, kept by each write to \(sources)"
            }
            let names = views.names.joined(separator: ", ")
            return "each write to \(entity.name) keeps the stored views \(names)"
        }
    }
}
