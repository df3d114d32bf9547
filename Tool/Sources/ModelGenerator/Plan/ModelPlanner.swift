import DBClientCore

/// Plans models of the tables of a database.
struct ModelPlanner {
    private let catalog: DatabaseCatalog
    let options: GeneratorOptions
    /// The tables of which there will be models, in the order of their names.
    var drafts: [TableDraft] = []
    var notices: [GenerationNotice] = []
    /// The Swift names of the enum types, by their names in the database.
    private(set) var enumNames: [String: String] = [:]

    init(_ catalog: DatabaseCatalog, _ options: GeneratorOptions) {
        self.catalog = catalog
        self.options = options
    }

    /// Returns the models, in the order of the tables' names.
    mutating func plans() -> [ModelPlan] {
        findTables()
        nameTypes()
        if options.relationships != .none { findRelationships() }
        nameProperties()
        if options.relationships != .none { findWideRelationships() }
        var plans = drafts.indices.map(plan)
        addLinks(to: &plans)
        addInverses(to: &plans)
        return plans
    }

    /// The enum types that some model uses, with their Swift names.
    var usedEnums: [(name: String, type: CatalogEnum)] {
        let used = Set(drafts.flatMap(\.kinds.values).flatMap(\.parts))
        return catalog.enums.compactMap { type in
            guard used.contains(.enumeration(type.name)), let name = enumNames[type.name] else {
                return nil
            }
            return (name, type)
        }
    }

    /// The names of an enum's cases by its labels.
    func labels(of enumeration: String) -> [String: String] {
        catalog.enums.first { $0.name == enumeration }.map { EnumCases($0.labels).names } ?? [:]
    }

    /// Whether some model has a field of JSON.
    var usesJSON: Bool {
        drafts.flatMap(\.kinds.values).flatMap(\.parts).contains(.json)
    }

    private mutating func findTables() {
        let links = Set(catalog.relationships.compactMap(\.links))
        for table in catalog.tables where !links.contains(table.name) {
            if let wanted = options.tables, !wanted.contains(table.name) { continue }
            var draft = TableDraft(table)
            if let reason = draft.findFields(key: options.keys[table.name]) {
                notices.append(
                    GenerationNotice(
                        kind: .refusedTable,
                        table: table.name,
                        column: nil,
                        reason: reason
                    )
                )
                continue
            }
            for column in table.columns {
                guard let reason = draft.reasons[column.name] else { continue }
                notices.append(
                    GenerationNotice(
                        kind: .leftOutColumn,
                        table: table.name,
                        column: column.name,
                        reason: reason.prefix(1).uppercased() + reason.dropFirst() + "."
                    )
                )
            }
            drafts.append(draft)
        }
    }

    private mutating func nameTypes() {
        var names = UniqueNames(taken: SwiftIdentifier.reservedTypes, ignoringCase: true)
        for position in drafts.indices {
            var words = SwiftIdentifier.words(of: drafts[position].table.name)
            let plural = SwiftIdentifier.upperCamel(words)
            if let last = words.popLast() { words.append(EnglishNoun.singular(of: last)) }
            let singular = SwiftIdentifier.upperCamel(words)
            drafts[position].typeName = names.take(singular, plural, singular + "Row")
            drafts[position].words = words
        }
        for type in catalog.enums {
            let name = SwiftIdentifier.upperCamel(SwiftIdentifier.words(of: type.name))
            enumNames[type.name] = names.take(name, name + "Value")
        }
    }

    /// The relationships that a table has: its foreign keys, and those that the library has noted.
    func foreignKeys(of draft: TableDraft) -> [(key: CatalogForeignKey, rule: DeleteRule?)] {
        let noted = catalog.relationships.filter {
            $0.table == draft.table.name && $0.kind == .toOne
        }
        .map { relationship in
            (
                key: CatalogForeignKey(
                    columns: relationship.columns,
                    table: relationship.target,
                    targets: [],
                    onDelete: .noAction
                ),
                rule: Optional(relationship.rule)
            )
        }
        let keys = draft.table.foreignKeys.filter { key in
            !noted.contains { $0.key.columns == key.columns }
        }
        return noted + keys.map { ($0, nil) }
    }

    /// Adds the to-many relationships that the library has noted.
    private mutating func addLinks(to plans: inout [ModelPlan]) {
        for relationship in catalog.relationships where relationship.kind != .toOne {
            guard let owner = drafts.firstIndex(where: { $0.table.name == relationship.table }),
                let target = drafts.first(where: { $0.table.name == relationship.target })
            else { continue }
            let words = SwiftIdentifier.words(of: relationship.name)
            let name = SwiftIdentifier.lowerCamel(words)
            let isList = relationship.kind == .list
            plans[owner].members.append(
                .field(
                    FieldPlan(
                        property: drafts[owner].names.take(name, name + "Value"),
                        column: relationship.name,
                        type: isList ? "References<\(target.typeName)>" : "Set<\(target.typeName)>",
                        isOptional: false,
                        rule: relationship.rule == .nullify ? nil : relationship.rule
                    )
                )
            )
        }
    }
}
