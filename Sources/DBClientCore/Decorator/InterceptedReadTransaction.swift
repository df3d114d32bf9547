/// A transaction whose calls go through an interceptor.
class InterceptedReadTransaction: ReadTransaction, EngineBackedTransaction {
    private let base: any ReadTransaction
    let interceptor: any TransactionInterceptor

    /// The transaction that the calls go on to.
    final var decorated: any ReadTransaction { base }

    /// Whether the transaction was begun to write.
    var isWrite: Bool { false }

    init(_ base: any ReadTransaction, _ interceptor: any TransactionInterceptor) {
        self.base = base
        self.interceptor = interceptor
    }

    var engineReader: any EngineReader {
        get throws {
            let reader = try base.rowReader()
            // A write of the same store may be what a read has joined, and it stays a read.
            guard writesRows, let writer = reader as? any EngineWriter else {
                return InterceptedReader(reader, interceptor)
            }
            return InterceptedWriter(writer, interceptor)
        }
    }

    var storeReader: any EngineReader {
        get throws {
            guard writesRows || !(base is any WriteTransaction),
                let backed = base as? any EngineBackedTransaction
            else { return try engineReader }
            return try backed.storeReader
        }
    }

    /// What is written past the models could not be checked.
    var writesRows: Bool {
        isWrite && !interceptor.checksValues
            && (base as? any EngineBackedTransaction)?.writesRows ?? false
    }

    func intercept<Value>(_ call: TransactionCall, _ body: () throws -> Value) throws -> Value {
        try interceptor.intercept(call) {
            guard let backed = base as? any EngineBackedTransaction else { return try body() }
            return try backed.intercept(call, body)
        }
    }

    /// The transaction behind all decorators, where it runs on an engine and what it writes past the
    /// models is nobody's to check.
    var uncheckedTransaction: EngineReadTransaction? {
        guard isWrite ? writesRows : !(base is any WriteTransaction) else { return nil }
        if let base = base as? EngineReadTransaction { return base }
        return (base as? InterceptedReadTransaction)?.uncheckedTransaction
    }

    func noteUnseenWrite() {
        (base as? any EngineBackedTransaction)?.noteUnseenWrite()
    }

    func silence(_ observer: ObservationToken) {
        (base as? any EngineBackedTransaction)?.silence(observer)
    }

    /// That of the client behind the decorators; one without an engine knows no conversions.
    var clientType: any EngineBackedClient.Type {
        (base as? any EngineBackedTransaction)?.clientType ?? NoEngineClient.self
    }

    func find<Model: Stored>(_ type: Model.Type, key: Model.PrimaryKey) throws -> Model? {
        try interceptor.intercept(.on(type, .find, 1)) { try base.find(type, key: key) }
    }

    func find<Model: Stored>(_ type: Model.Type, keys: [Model.PrimaryKey]) throws -> [Model] {
        try interceptor.intercept(.on(type, .find, keys.count)) { try base.find(type, keys: keys) }
    }

    func fetch<Request: FetchRequestConvertible>(_ request: Request) throws -> [Request.Model]
    where Request.Model: Stored {
        let request = request.request
        return try interceptor.intercept(.on(request, .fetch)) { try base.fetch(request) }
    }

    func forEach<Request: FetchRequestConvertible>(
        _ request: Request,
        _ body: (Request.Model) throws -> Bool
    ) throws where Request.Model: Stored {
        let request = request.request
        try interceptor.intercept(.on(request, .forEach)) { try base.forEach(request, body) }
    }

    func count<Request: FetchRequestConvertible>(_ request: Request) throws -> Int
    where Request.Model: Stored {
        let request = request.request
        return try interceptor.intercept(.on(request, .count)) { try base.count(request) }
    }

    func aggregate<Request: FetchRequestConvertible>(
        _ function: AggregateFunction,
        _ field: PartialKeyPath<Request.Model>,
        of request: Request
    ) throws -> StorageValue where Request.Model: Stored {
        let request = request.request
        let name = try? Request.Model.column(of: field)
        let fields = name.map { [Request.Model.schema.entity.fieldName($0)] } ?? []
        return try interceptor.intercept(.on(request, .aggregate, fields)) {
            try base.aggregate(function, field, of: request)
        }
    }

    func distinct<Request: FetchRequestConvertible, Value: StorableValue>(
        _ field: KeyPath<Request.Model, Value>,
        of request: Request
    ) throws -> [Value] where Request.Model: Stored {
        let request = request.request
        let name = try? Request.Model.column(of: field)
        let fields = name.map { [Request.Model.schema.entity.fieldName($0)] } ?? []
        return try interceptor.intercept(.on(request, .distinct, fields)) {
            try base.distinct(field, of: request)
        }
    }

    func explain<Request: FetchRequestConvertible>(_ request: Request) throws -> String
    where Request.Model: Stored {
        let request = request.request
        return try interceptor.intercept(.on(request, .explain)) { try base.explain(request) }
    }
}

/// Stands for the type of a client where there is none of an engine; it converts nothing.
struct NoEngineClient: EngineBackedClient {
    let engine: any Engine
}

extension TransactionCall {
    static func on<Model: Stored>(
        _ type: Model.Type,
        _ kind: Kind,
        _ count: Int
    ) -> TransactionCall {
        TransactionCall(kind, entity: Model.schema.entity.name, givenCount: count)
    }

    static func on<Model>(
        _ request: FetchRequest<Model>,
        _ kind: Kind,
        _ fields: [String] = []
    ) -> TransactionCall {
        TransactionCall(
            kind,
            entity: Model.Storage.schema.entity.name,
            fields: fields,
            query: try? request.rowQuery()
        )
    }
}
