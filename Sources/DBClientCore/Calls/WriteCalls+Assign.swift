// Writing some fields of values; the others keep what is stored.
extension WriteCalls {
    /// Writes some fields of the value with a primary key; the others keep what is stored.
    ///
    /// ```swift
    /// try client.blocking.update(Character.self, key: 1455) { $0.set(\.realName, to: "Tony Stark") }
    /// ```
    ///
    /// - Throws: `.notFound` when it is not stored.
    public func update<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws {
        try writing(asOneCall: true) { try Model.mapping(in: $0).update(key, in: $0, assign) }
    }

    /// Writes some fields of the values with these primary keys, of each its own; the others keep what is
    /// stored.
    ///
    /// ```swift
    /// try client.blocking.update(Character.self, keys: Array(names.keys)) { assignments, key in
    ///     assignments.set(\.realName, to: names[key] ?? "")
    /// }
    /// ```
    ///
    /// Many are written together where the engine has a way to. A key that comes twice is written twice, in
    /// the order of the keys. Of several errors the first in that order is thrown.
    ///
    /// What the closure reads in the transaction may or may not have what the call has set for keys before.
    ///
    /// - Throws: `.notFound` when one of them is not stored; nothing of the call is then written.
    public func update<Model: StoredConvertible>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey],
        _ assign: (inout Assignments<Model>, Model.PrimaryKey) throws -> Void
    ) throws {
        try writing(asOneCall: true) { try Model.mapping(in: $0).update(keys, in: $0, assign) }
    }

    /// Writes some fields of the values of a request and returns how many there were.
    @discardableResult
    public func update<Request: FetchRequestConvertible>(
        _ request: Request,
        _ assign: (inout Assignments<Request.Model>) throws -> Void
    ) throws -> Int {
        try writing(asOneCall: true) {
            try Request.Model.mapping(in: $0).update(request.request, in: $0, assign)
        }
    }

    /// Reads the value with a primary key, changes it, stores it, and returns it, as one transaction.
    ///
    /// ```swift
    /// try client.blocking.modify(Character.self, key: 1455) { $0.aliases.append("Shellhead") }
    /// ```
    ///
    /// - Throws: `.notFound` when there is none, `.invalidRequest` when the change sets the primary key.
    @discardableResult
    public func modify<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey,
        _ change: (inout Model) throws -> Void
    ) throws -> Model {
        try writing(asOneCall: false) { transaction in
            guard let value = try transaction.find(type, key: key) else {
                throw DBClientError(
                    .notFound,
                    "There is no value with this primary key to modify.",
                    entity: Model.Storage.schema.entity.name,
                    key: "\(key)"
                )
            }
            return try transaction.modify([value], change)[0]
        }
    }

    /// Reads the values of a request, changes each, stores them, and returns them, as one transaction.
    ///
    /// - Throws: `.invalidRequest` when a change sets the primary key.
    @discardableResult
    public func modify<Request: FetchRequestConvertible>(
        _ request: Request,
        _ change: (inout Request.Model) throws -> Void
    ) throws -> [Request.Model] {
        try writing(asOneCall: false) { try $0.modify($0.fetch(request), change) }
    }
}

extension WriteTransaction {
    /// Changes values, stores them, and returns them.
    func modify<Model: StoredConvertible>(
        _ values: [Model],
        _ change: (inout Model) throws -> Void
    ) throws -> [Model] {
        let modified = try values.map { value in
            var copy = value
            try change(&copy)
            // By the stored form: two texts may be equal and two keys.
            let keys = try KeyRows<Model.Storage>([value.primaryKey, copy.primaryKey])
            guard keys.isEqual(0, keys, 1) else {
                throw DBClientError(
                    .invalidRequest,
                    "The primary key of a stored value must not be set.",
                    entity: Model.Storage.schema.entity.name,
                    hint: "Delete the value and insert it under its new key."
                )
            }
            return copy
        }
        // Which returns them as they are stored.
        let stored = try updateExisting(modified)
        guard stored.count == modified.count else {
            throw DBClientError(
                .notFound,
                "There is no value with this primary key to update.",
                entity: Model.Storage.schema.entity.name,
                key: modified.count == 1 ? "\(modified[0].primaryKey)" : nil
            )
        }
        return stored
    }
}
