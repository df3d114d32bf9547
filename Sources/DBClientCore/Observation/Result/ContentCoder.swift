/// The part of a result that handles models that are made of several rows, or that convert, so that the rest
/// of it works on rows alone.
protocol ContentCoder: Sendable {
    /// Reads the values of a query, and what each is made of.
    ///
    /// `areAll` says that the query finds every row of its entity.
    func entries(
        of query: RowQuery,
        areAll: Bool,
        _ keys: OrderKeyEncoder,
        in transaction: ReadTransaction
    ) throws -> [ResultEntry]
}

/// Entries with models that a transaction makes of what it keeps.
struct ConvertingCoder<Model: StoredConvertible>: ContentCoder {
    func entries(
        of query: RowQuery,
        areAll: Bool,
        _ keys: OrderKeyEncoder,
        in transaction: ReadTransaction
    ) throws -> [ResultEntry] {
        try Model.mapping(in: transaction).entries(of: query, areAll: areAll, keys, transaction)
    }
}

extension ModelMapping {
    fileprivate func entries(
        of query: RowQuery,
        areAll: Bool,
        _ keys: OrderKeyEncoder,
        _ transaction: ReadTransaction
    ) throws -> [ResultEntry] {
        let reader = try transaction.reader()
        let rows = RowBuffer(query.entity)
        try reader.scan(query) { batch in
            rows.append(copying: batch)
            return true
        }
        let orderKeys = try keys.keys(of: rows, in: reader)
        let (shapes, contents) = try RelationshipLoader(reader, tellsContents: true)
            .values(Shape.self, of: rows, areAll: areAll)
        let models = try models(shapes, in: transaction)
        guard models.count == contents.count else {
            throw DBClientError(
                .decoding,
                "The mapping must make \(contents.count) models of as many values; it made \(models.count).",
                entity: query.entity.name
            )
        }
        return models.indices.map { ModelEntry(orderKeys[$0], models[$0], contents[$0]) }
    }
}

extension StoredConvertible {
    /// Returns the query for what a transaction keeps of the model.
    static func shapeQuery(
        _ request: FetchRequest<Self>,
        in transaction: ReadTransaction
    ) throws -> RowQuery {
        try mapping(in: transaction).rowQuery(request)
    }
}

/// Compares what values are made of, in everything or in some sections.
struct ContentComparison: EntryComparison {
    let sections: [Int]?

    func isSame(_ left: ResultEntry, _ right: ResultEntry) -> Bool {
        guard let left = left.content, let right = right.content else { return false }
        guard let sections else { return left.isSame(right) }
        return left.isSame(right, in: sections)
    }

    /// Returns the sections of some properties of what is stored, in another shape of it.
    static func sections<Storage: Stored>(
        of fields: [PartialKeyPath<Storage>],
        _ type: Storage.Type,
        in shape: EntitySchema
    ) throws -> [Int] {
        let entity = Storage.schema.entity
        return try fields.flatMap { field -> [Int] in
            if let relationship = Storage.schema.relationship(of: field) {
                let place = shape.relationships.firstIndex { $0.name == relationship.name }
                guard let place else { throw missing(relationship.name, in: shape) }
                return shape.relationships[place].columns + [shape.fields.count + place]
            }
            return try Storage.columns(of: field).map { column in
                let name = entity.fields[column].name
                guard let found = shape.position(of: name) else { throw missing(name, in: shape) }
                return found
            }
        }
    }

    private static func missing(_ name: String, in shape: EntitySchema) -> DBClientError {
        DBClientError(
            .invalidRequest,
            "The field must be part of the shape in which this engine stores the model.",
            entity: shape.name,
            field: name
        )
    }
}
