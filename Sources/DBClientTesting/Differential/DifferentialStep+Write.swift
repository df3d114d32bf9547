import DBClientCore

extension DifferentialStep {
    static func insert(_ random: RandomSource) -> DifferentialStep {
        let models = random.list(upTo: 4, Model.make)
        return DifferentialStep(
            text: "insert \(models.shown)",
            write: { try $0.insert(models).shown },
            call: { try await $0.insert(models).shown },
            predict: { try $0.insert(models).shown }
        )
    }

    static func upsert(_ random: RandomSource) -> DifferentialStep {
        let models = random.list(upTo: 4, Model.make)
        return DifferentialStep(
            text: "upsert \(models.shown)",
            write: {
                let outcome = try $0.upsert(models)
                return "inserted \(outcome.inserted.shown) updated \(outcome.updated.shown)"
            },
            call: {
                let outcome = try await $0.upsert(models)
                return "inserted \(outcome.inserted.shown) updated \(outcome.updated.shown)"
            },
            predict: {
                let outcome = try $0.upsert(models)
                return "inserted \(outcome.inserted.shown) updated \(outcome.updated.shown)"
            }
        )
    }

    static func update(_ random: RandomSource) -> DifferentialStep {
        let models = random.list(upTo: 3, Model.make)
        return DifferentialStep(
            text: "update \(models.shown)",
            write: {
                try $0.update(models)
                return "done"
            },
            call: {
                try await $0.update(models)
                return "done"
            },
            predict: {
                _ = try $0.update(models, skipping: false)
                return "done"
            }
        )
    }

    static func updateExisting(_ random: RandomSource) -> DifferentialStep {
        let models = random.list(upTo: 4, Model.make)
        return DifferentialStep(
            text: "updateExisting \(models.shown)",
            write: { try $0.updateExisting(models).shown },
            call: { try await $0.updateExisting(models).shown },
            predict: { try $0.update(models, skipping: true).shown }
        )
    }

    static func assign(_ random: RandomSource) -> DifferentialStep {
        let key = Model.makeKey(random)
        let assignments = makeAssignments(random)
        return DifferentialStep(
            text: "set \(assignments.map(\.text)) of \(Model.show(key))",
            write: {
                try $0.update(Model.self, key: key) { values in
                    for assignment in assignments { assignment.assign(&values) }
                }
                return "done"
            },
            call: {
                try await $0.update(Model.self, key: key) { values in
                    for assignment in assignments { assignment.assign(&values) }
                }
                return "done"
            },
            predict: {
                try $0.change([key], assignments)
                return "done"
            }
        )
    }

    /// Some fields of several values, often of each the same.
    static func assignEach(_ random: RandomSource) -> DifferentialStep {
        let keys = random.list(upTo: 5, Model.makeKey)
        let all = makeAssignments(random)
        let parts = keys.map { key in
            (key: key, assignments: random.chance(30) ? makeAssignments(random) : all)
        }
        let write: @Sendable (WriteTransaction) throws -> String = {
            var rest = parts[...]
            try $0.update(Model.self, keys: keys) { values, _ in
                for assignment in rest.popFirst()?.assignments ?? [] { assignment.assign(&values) }
            }
            return "done"
        }
        return DifferentialStep(
            text: "set "
                + parts.map { "\($0.assignments.map(\.text)) of \(Model.show($0.key))" }
                .joined(separator: ", "),
            write: write,
            call: { client in
                // The call may run again from its start, so it finds what to set by the key alone.
                let ordered = keys.sorted { Model.orderKeys($0, $1) < 0 }
                if zip(ordered, ordered.dropFirst()).contains(where: {
                    Model.orderKeys($0, $1) == 0
                }) {
                    return try await client.write(write)
                }
                try await client.update(Model.self, keys: keys) { values, key in
                    let part = parts.first { Model.orderKeys($0.key, key) == 0 }
                    for assignment in part?.assignments ?? [] { assignment.assign(&values) }
                }
                return "done"
            },
            predict: { oracle in
                for part in parts { try oracle.change([part.key], part.assignments) }
                return "done"
            }
        )
    }

    static func assignMatching(_ random: RandomSource) -> DifferentialStep {
        let request = PairedRequest<Model>(random)
        let assignments = makeAssignments(random)
        return DifferentialStep(
            text: "set \(assignments.map(\.text)) of \(request.text)",
            write: {
                let count = try $0.update(request.request) { values in
                    for assignment in assignments { assignment.assign(&values) }
                }
                return "\(count)"
            },
            call: {
                let count = try await $0.update(request.request) { values in
                    for assignment in assignments { assignment.assign(&values) }
                }
                return "\(count)"
            },
            predict: {
                let keys = request.evaluate($0.models).map(\.primaryKey)
                try $0.change(keys, assignments)
                return "\(keys.count)"
            }
        )
    }

    static func delete(_ random: RandomSource) -> DifferentialStep {
        let keys = random.list(upTo: 4, Model.makeKey)
        return DifferentialStep(
            text: "delete \(keys.map(Model.show))",
            write: { "\(try $0.delete(Model.self, keys: keys))" },
            call: { "\(try await $0.delete(Model.self, keys: keys))" },
            predict: { "\($0.delete(keys))" }
        )
    }

    static func deleteMatching(_ random: RandomSource) -> DifferentialStep {
        let request = PairedRequest<Model>(random)
        return DifferentialStep(
            text: "delete \(request.text)",
            write: { "\(try $0.delete(request.request))" },
            call: { "\(try await $0.delete(request.request))" },
            predict: { "\($0.delete(request.evaluate($0.models).map(\.primaryKey)))" }
        )
    }

    /// Some steps in a write of their own, which may throw at its end.
    static func nested(_ random: RandomSource, depth: Int) -> DifferentialStep {
        let steps = random.list(upTo: 4) { make($0, depth: depth) }
        let throwsAtEnd = random.chance(40)
        let text = steps.map(\.text).joined(separator: "\n      ")
        return DifferentialStep(
            text: "nested {\n      \(text)\n    }\(throwsAtEnd ? " throwing" : "")",
            run: .write { transaction in
                try keeping { told in
                    try transaction.write { nested in
                        for step in steps { told.append(try step.run(in: nested)) }
                        if throwsAtEnd { throw SuiteError.deliberate }
                    }
                }
            },
            predict: { oracle in
                try keeping { told in
                    try oracle.atomically { nested in
                        for step in steps { told.append(try step.run(in: &nested)) }
                        if throwsAtEnd { throw SuiteError.deliberate }
                    }
                }
            }
        )
    }

    /// Returns what a body told before it ended or threw on purpose.
    private static func keeping(_ body: (inout [String]) throws -> Void) throws -> String {
        var told: [String] = []
        do {
            try body(&told)
        } catch SuiteError.deliberate {
            told.append("undone")
        }
        return told.joined(separator: " | ")
    }

    static func makeAssignments(_ random: RandomSource) -> [PairedAssignment<Model>] {
        random.list(upTo: 3) { random in
            random.pick(from: Model.probes.compactMap(\.assignment))?(random)
        }.compactMap(\.self)
    }
}

extension Oracle {
    /// Changes the values with these keys.
    mutating func change(
        _ keys: [Model.PrimaryKey],
        _ assignments: [PairedAssignment<Model>]
    ) throws {
        try change(keys) { model in
            let stored = model
            for assignment in assignments {
                assignment.change(&model, stored)
                // What is modified after it was set counts in its stored form.
                model = model.normalized ?? model
            }
        }
    }
}
