import DBClientCore

extension DifferentialStep {
    static func fetch(_ random: RandomSource) -> DifferentialStep {
        let request = PairedRequest<Model>(random)
        let isBlocking = random.chance(50)
        return DifferentialStep(
            text: "fetch \(request.text)",
            read: { try $0.fetch(request.request).shown },
            call: { client in
                isBlocking
                    ? try client.blocking.fetch(request.request).shown
                    : try await client.fetch(request.request).shown
            },
            predict: { request.evaluate($0.models).shown }
        )
    }

    static func count(_ random: RandomSource) -> DifferentialStep {
        let request = PairedRequest<Model>(random)
        let isBlocking = random.chance(50)
        return DifferentialStep(
            text: "count \(request.text)",
            read: { "\(try $0.count(request.request)) \(try $0.exists(request.request))" },
            call: { client in
                if isBlocking {
                    let count = try client.blocking.count(request.request)
                    return "\(count) \(try client.blocking.exists(request.request))"
                }
                let count = try await client.count(request.request)
                return "\(count) \(try await client.exists(request.request))"
            },
            predict: {
                let found = request.evaluate($0.models)
                return "\(found.count) \(!found.isEmpty)"
            }
        )
    }

    static func first(_ random: RandomSource) -> DifferentialStep {
        let request = PairedRequest<Model>(random)
        let isBlocking = random.chance(50)
        return DifferentialStep(
            text: "fetchOne \(request.text)",
            read: { try $0.fetchOne(request.request)?.shown ?? "nil" },
            call: { client in
                let found =
                    isBlocking
                    ? try client.blocking.fetchOne(request.request)
                    : try await client.fetchOne(request.request)
                return found?.shown ?? "nil"
            },
            predict: { request.evaluate($0.models).first?.shown ?? "nil" }
        )
    }

    static func visit(_ random: RandomSource) -> DifferentialStep {
        let request = PairedRequest<Model>(random)
        let limit = random.below(5) + 1
        return DifferentialStep(
            text: "visit \(limit) of \(request.text)",
            run: .read { transaction in
                var visited: [Model] = []
                try transaction.forEach(request.request) {
                    visited.append($0)
                    return visited.count < limit
                }
                return visited.shown
            },
            predict: { Array(request.evaluate($0.models).prefix(limit)).shown }
        )
    }

    static func find(_ random: RandomSource) -> DifferentialStep {
        let keys = random.list(upTo: 5, Model.makeKey)
        return DifferentialStep(
            text: "find \(keys.map(Model.show))",
            run: .read { transaction in
                let found = try transaction.find(Model.self, keys: keys).shown
                return try keys.reduce(found) {
                    let one = try transaction.find(Model.self, key: $1)
                    return "\($0); \(one?.shown ?? "nil")"
                }
            },
            predict: { oracle in
                keys.reduce(keys.compactMap { oracle.find($0) }.shown) {
                    "\($0); \(oracle.find($1)?.shown ?? "nil")"
                }
            }
        )
    }

    static func function(_ random: RandomSource) -> DifferentialStep {
        let request = PairedRequest<Model>(random)
        guard let function = random.pick(from: Model.probes.flatMap(\.functions)) else {
            return count(random)
        }
        return DifferentialStep(
            text: "\(function.text) of \(request.text)",
            run: .read { try function.run($0, request.request) },
            predict: { try function.compute(request.evaluate($0.models)) }
        )
    }
}

extension Array where Element: DifferentialModel {
    var shown: String { "[" + map(\.shown).joined(separator: ", ") + "]" }
}
