extension ReadTransaction {
    /// Returns the value that a reference names, or nil when it is not there.
    public func load<Model: Stored>(_ reference: Reference<Model>) throws -> Model? {
        try find(Model.self, key: reference.key)
    }

    /// Returns the value that a reference names, or nil when there is no reference.
    public func load<Model: Stored>(_ reference: Reference<Model>?) throws -> Model? {
        try reference.flatMap { try load($0) }
    }

    /// Returns the values that references name, in their order, those left out that are not there.
    public func load<Model: Stored>(_ references: References<Model>) throws -> [Model] {
        try find(Model.self, keys: references.keys)
    }
}

extension DBClient {
    /// Returns the value that a reference names, or nil when it is not there.
    public func load<Model: Stored>(_ reference: Reference<Model>) async throws -> Model? {
        try await readOnce { try $0.load(reference) }
    }

    /// Returns the value that a reference names, or nil when there is no reference.
    public func load<Model: Stored>(_ reference: Reference<Model>?) async throws -> Model? {
        try await readOnce { try $0.load(reference) }
    }

    /// Returns the values that references name, in their order, those left out that are not there.
    public func load<Model: Stored>(_ references: References<Model>) async throws -> [Model] {
        try await readOnce { try $0.load(references) }
    }
}

extension BlockingDBClient {
    /// Returns the value that a reference names, or nil when it is not there.
    public func load<Model: Stored>(_ reference: Reference<Model>) throws -> Model? {
        try client.readOnceBlocking { try $0.load(reference) }
    }

    /// Returns the value that a reference names, or nil when there is no reference.
    public func load<Model: Stored>(_ reference: Reference<Model>?) throws -> Model? {
        try client.readOnceBlocking { try $0.load(reference) }
    }

    /// Returns the values that references name, in their order, those left out that are not there.
    public func load<Model: Stored>(_ references: References<Model>) throws -> [Model] {
        try client.readOnceBlocking { try $0.load(references) }
    }
}
