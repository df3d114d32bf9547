import DBClientCore

extension DifferentialStep {
    static func insertIfAbsent(_ random: RandomSource) -> DifferentialStep {
        let models = random.list(upTo: 5, Model.make)
        return DifferentialStep(
            text: "insertIfAbsent \(models.shown)",
            write: { try $0.insertIfAbsent(models).shown },
            call: { try await $0.insertIfAbsent(models).shown },
            predict: { try $0.insertIfAbsent(models).shown }
        )
    }

    /// A step that finds values by what is unique beside the key, or by the key where nothing is.
    static func upsertByUnique(_ random: RandomSource) -> DifferentialStep {
        guard let unique = random.pick(from: Model.uniqueProperties) else { return upsert(random) }
        let models = random.list(upTo: 4, Model.make)
        return DifferentialStep(
            text: "upsert \(models.shown) by \(unique.text)",
            write: {
                let outcome = try unique.upsert($0, models)
                return "inserted \(outcome.inserted.shown) updated \(outcome.updated.shown)"
            },
            call: {
                let outcome = try await unique.call($0, models)
                return "inserted \(outcome.inserted.shown) updated \(outcome.updated.shown)"
            },
            predict: {
                let outcome = try $0.upsert(models, by: unique)
                return "inserted \(outcome.inserted.shown) updated \(outcome.updated.shown)"
            }
        )
    }

    static func assignReturning(_ random: RandomSource) -> DifferentialStep {
        let request = PairedRequest<Model>(random)
        let assignments = makeAssignments(random)
        return DifferentialStep(
            text: "set \(assignments.map(\.text)) of \(request.text) returning",
            write: {
                try $0.updateReturning(request.request) { values in
                    for assignment in assignments { assignment.assign(&values) }
                }
                .shown
            },
            call: {
                try await $0.updateReturning(request.request) { values in
                    for assignment in assignments { assignment.assign(&values) }
                }
                .shown
            },
            predict: { oracle in
                let keys = request.evaluate(oracle.models).map(\.primaryKey)
                try oracle.change(keys, assignments)
                return keys.compactMap { oracle.find($0) }.shown
            }
        )
    }

    static func deleteReturning(_ random: RandomSource) -> DifferentialStep {
        let request = PairedRequest<Model>(random)
        return DifferentialStep(
            text: "delete \(request.text) returning",
            write: { try $0.deleteReturning(request.request).shown },
            call: { try await $0.deleteReturning(request.request).shown },
            predict: { oracle in
                let found = request.evaluate(oracle.models)
                _ = oracle.delete(found.map(\.primaryKey))
                return found.shown
            }
        )
    }
}
