import DBClientCore

/// What a store must hold, as plain Swift values in the order of their keys.
struct Oracle<Model: DifferentialModel>: Sendable {
    private(set) var models: [Model] = []

    /// Runs a body that changes nothing when it throws.
    mutating func atomically<Value>(_ body: (inout Self) throws -> Value) throws -> Value {
        var copy = self
        let value = try body(&copy)
        self = copy
        return value
    }

    func find(_ key: Model.PrimaryKey) -> Model? {
        position(of: key).map { models[$0] }
    }

    mutating func insert(_ given: [Model]) throws -> [Model] {
        let given = try stored(given)
        for model in given {
            guard find(model.primaryKey) == nil else { throw OracleError(.duplicateKey) }
            try put(model)
        }
        return given
    }

    /// Replaces what is stored, and returns it.
    mutating func update(_ given: [Model], skipping: Bool) throws -> [Model] {
        var found: [Model] = []
        for model in try stored(given) {
            if find(model.primaryKey) == nil {
                if skipping { continue }
                throw OracleError(.notFound)
            }
            try put(model)
            found.append(model)
        }
        return found
    }

    mutating func upsert(_ given: [Model]) throws -> (inserted: [Model], updated: [Model]) {
        let given = try stored(given)
        var inserted: [Model] = []
        var updated: [Model] = []
        for (position, model) in given.enumerated() {
            let comesAgain = given[(position + 1)...].contains {
                Model.orderKeys($0.primaryKey, model.primaryKey) == 0
            }
            if comesAgain { continue }
            if find(model.primaryKey) == nil {
                inserted.append(model)
            } else {
                updated.append(model)
            }
            try put(model)
        }
        return (inserted, updated)
    }

    /// Inserts what conflicts with nothing, and returns it.
    mutating func insertIfAbsent(_ given: [Model]) throws -> [Model] {
        try stored(given).filter { model in
            let conflicts =
                find(model.primaryKey) != nil
                || models.contains { Model.collide($0, model) }
            if !conflicts { try put(model) }
            return !conflicts
        }
    }

    /// Replaces what has the same unique values, beside its key, and inserts the rest.
    mutating func upsert(
        _ given: [Model],
        by unique: UniqueProperties<Model>
    ) throws -> (inserted: [Model], updated: [Model]) {
        let given = try stored(given)
        var inserted: [Model] = []
        var updated: [Model] = []
        for (position, model) in given.enumerated() {
            if given[(position + 1)...].contains(where: { unique.areEqual(model, $0) }) { continue }
            if let found = models.first(where: { unique.areEqual($0, model) }) {
                let kept = unique.keyed(model, found.primaryKey)
                try put(kept)
                updated.append(kept)
            } else {
                guard find(model.primaryKey) == nil else { throw OracleError(.duplicateKey) }
                try put(model)
                inserted.append(model)
            }
        }
        return (inserted, updated)
    }

    /// Changes the values with these keys.
    mutating func change(_ keys: [Model.PrimaryKey], _ change: (inout Model) -> Void) throws {
        for key in keys {
            guard var model = find(key) else { throw OracleError(.notFound) }
            change(&model)
            try put(try stored([model])[0])
        }
    }

    mutating func delete(_ keys: [Model.PrimaryKey]) -> Int {
        let before = models.count
        for key in keys {
            if let position = position(of: key) { models.remove(at: position) }
        }
        return before - models.count
    }

    private func position(of key: Model.PrimaryKey) -> Int? {
        // Many come in the order of their keys.
        if let last = models.last, Model.orderKeys(last.primaryKey, key) < 0 { return nil }
        return models.firstIndex { Model.orderKeys($0.primaryKey, key) == 0 }
    }

    private func stored(_ given: [Model]) throws -> [Model] {
        try given.map { model in
            guard let normalized = model.normalized else { throw OracleError(.invalidValue) }
            return normalized
        }
    }

    private mutating func put(_ model: Model) throws {
        let others = models.filter { Model.orderKeys($0.primaryKey, model.primaryKey) != 0 }
        if others.contains(where: { Model.collide($0, model) }) {
            throw OracleError(.uniqueViolation)
        }
        models = others
        let next = models.firstIndex { Model.orderKeys($0.primaryKey, model.primaryKey) > 0 }
        models.insert(model, at: next ?? models.count)
    }
}
