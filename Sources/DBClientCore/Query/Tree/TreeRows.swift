import Synchronization

/// The rows that a tree request finds, in requests and other places that name a model: it has no values.
enum TreeRows<Node: StoredConvertible>: Stored {
    static var schema: Schema<Self> {
        TreeSchemas.schema(of: Self.self) {
            Schema(of: EntitySchema(walking: Node.Storage.schema.entity))
        }
    }

    var primaryKey: Int { 0 }

    init(row: inout RowReader) throws {
        throw DBClientError(
            .invalidRequest,
            "The rows of a tree must be fetched by a request for their values.",
            entity: Self.schema.entity.name
        )
    }

    func write(to row: inout RowWriter) throws {}
}

/// The schemas of tree rows, one for each type, which a generic type cannot keep itself.
private enum TreeSchemas {
    private static let schemas = Mutex<[ObjectIdentifier: any Sendable]>([:])

    static func schema<Model: Stored>(
        of type: Model.Type,
        _ make: () -> Schema<Model>
    ) -> Schema<Model> {
        schemas.withLock { schemas in
            if let schema = schemas[ObjectIdentifier(type)] as? Schema<Model> { return schema }
            let schema = make()
            schemas[ObjectIdentifier(type)] = schema
            return schema
        }
    }
}
