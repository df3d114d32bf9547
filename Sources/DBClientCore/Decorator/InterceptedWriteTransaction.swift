/// A write transaction whose calls go through an interceptor.
final class InterceptedWriteTransaction: InterceptedReadTransaction, WriteTransaction {
    private let base: any WriteTransaction

    init(_ base: any WriteTransaction, _ interceptor: any TransactionInterceptor) {
        self.base = base
        super.init(base, interceptor)
    }

    override var isWrite: Bool { true }

    func insert<Model: Stored>(_ values: [Model]) throws -> [Model] {
        try interceptor.intercept(.on(Model.self, .insert, values.count)) {
            try interceptor.checkGraph(of: values, in: base)
            return try base.insert(values)
        }
    }

    func update<Model: Stored>(_ values: [Model]) throws {
        try interceptor.intercept(.on(Model.self, .update, values.count)) {
            try interceptor.checkGraph(of: values, in: base)
            try base.update(values)
        }
    }

    func updateExisting<Model: Stored>(_ values: [Model]) throws -> [Model] {
        try interceptor.intercept(.on(Model.self, .updateExisting, values.count)) {
            try interceptor.checkGraph(of: values, in: base)
            return try base.updateExisting(values)
        }
    }

    func upsert<Model: Stored>(_ values: [Model]) throws -> UpsertOutcome<Model> {
        try interceptor.intercept(.on(Model.self, .upsert, values.count)) {
            try interceptor.checkGraph(of: values, in: base)
            return try base.upsert(values)
        }
    }

    func update<Model: Stored>(
        _ type: Model.Type,
        key: Model.PrimaryKey,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws {
        try interceptor.intercept(.on(type, .assign, 1)) {
            guard interceptor.checksValues else { return try base.update(type, key: key, assign) }
            try base.write { nested in
                try nested.update(type, key: key, assign)
                let stored = try nested.find(type, keys: [key])
                try interceptor.checkGraph(of: stored, in: nested)
            }
        }
    }

    func update<Model: Stored>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey],
        _ assign: (inout Assignments<Model>, Model.PrimaryKey) throws -> Void
    ) throws {
        try interceptor.intercept(.on(type, .assign, keys.count)) {
            guard interceptor.checksValues else {
                return try base.update(type, keys: keys, assign)
            }
            try base.write { nested in
                try nested.update(type, keys: keys, assign)
                let stored = try nested.find(type, keys: keys)
                try interceptor.checkGraph(of: stored, in: nested)
            }
        }
    }

    func update<Request: FetchRequestConvertible>(
        _ request: Request,
        _ assign: (inout Assignments<Request.Model>) throws -> Void
    ) throws -> Int where Request.Model: Stored {
        let request = request.request
        return try interceptor.intercept(.on(request, .assignMatching)) {
            guard interceptor.checksValues else { return try base.update(request, assign) }
            return try base.write { nested in
                // Once written, they may not fulfil the request any more.
                let keys = try nested.fetch(request).map(\.primaryKey)
                let count = try nested.update(request, assign)
                let stored = try nested.find(Request.Model.self, keys: keys)
                try interceptor.checkGraph(of: stored, in: nested)
                return count
            }
        }
    }

    func delete<Model: Stored>(_ type: Model.Type, keys: [Model.PrimaryKey]) throws -> Int {
        try interceptor.intercept(.on(type, .delete, keys.count)) {
            try base.delete(type, keys: keys)
        }
    }

    func delete<Request: FetchRequestConvertible>(_ request: Request) throws -> Int
    where Request.Model: Stored {
        let request = request.request
        return try interceptor.intercept(.on(request, .deleteMatching)) { try base.delete(request) }
    }

    func write<Value>(_ body: (any WriteTransaction) throws -> Value) throws -> Value {
        try interceptor.intercept(TransactionCall(.savepoint, entity: nil)) {
            try base.write { try body(InterceptedWriteTransaction($0, interceptor)) }
        }
    }
}
