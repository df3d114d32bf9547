import DBClientCore
import Foundation

/// A made-up program of commits under observed sums, averages, extremes, groups, fields and joins, each of which must be what a fresh
/// reading finds, bit by bit, and no state that the store did not have.
package struct KeptProgram {
    private struct Watched {
        let name: String
        let follower: TextFollower
        let fresh: @Sendable (ReadTransaction) throws -> String
        var history: [String] = []
    }

    let random: RandomSource
    /// The clients that write; the first one observes.
    private let clients: [any DBClient]
    private var watched: [Watched] = []

    init(_ random: RandomSource, _ clients: [any DBClient]) {
        self.random = random
        self.clients = clients
    }

    /// Runs a program through some clients of one store, of which the first observes.
    ///
    /// - Parameters:
    ///   - random: What the program is drawn from.
    ///   - clients: The clients.
    ///   - commits: How many transactions it has.
    ///   - overlooked: Which of the commits are not noted, so that observers are told what is none of the noted states: a
    ///     fault that must be found.
    /// - Throws: `ConformanceFailure` for what was told and is none of the states, or is not told.
    static func run(
        _ random: RandomSource,
        on clients: [any DBClient],
        commits: Int,
        overlooking overlooked: Int? = nil
    ) async throws {
        var program = KeptProgram(random, clients)
        try await program.run(commits, overlooking: overlooked)
    }

    private mutating func run(_ commits: Int, overlooking overlooked: Int?) async throws {
        for number in 1...commits {
            if watched.isEmpty || watched.count < 60 && random.chance(8) { try await begin() }
            let client = clients[random.below(clients.count)]
            let lengths = watched.map(\.history.count)
            try await commit(Unit(random), to: client)
            if let overlooked, number.isMultiple(of: overlooked) {
                for index in watched.indices {
                    watched[index].history.removeSubrange(lengths[index]...)
                }
                // The next one leaves a state that is noted.
                continue
            }
            if random.chance(15) { try await settle() }
        }
        try await settle()
    }

    /// Makes a commit, and notes what is to be told of it.
    mutating func commit(_ unit: Unit, to client: any DBClient) async throws {
        let fresh = watched.map(\.fresh)
        var found: [String]?
        do {
            found = try await client.write { transaction in
                try unit.run(transaction)
                return try fresh.map { try $0(transaction) }
            }
        } catch is CancellationError {}
        for (index, text) in (found ?? []).enumerated() { watched[index].history.append(text) }
    }

    /// Waits until the last state is told, and checks what was told before.
    func settle() async throws {
        for watched in watched {
            try await watched.follower.settle(watched.history.last ?? "")
            try watched.follower.check(against: watched.history)
        }
    }

    // MARK: Observations

    /// Begins to observe some more.
    mutating func begin() async throws {
        let client = clients[0]
        let request: FetchRequest<Parcel> = random.pick(
            Parcel.all,
            Parcel.where { $0.depot != "b" },
            Parcel.where { $0.pieces > 2 && $0.route != nil }.sorted { $0.weight },
            Parcel.where { $0.depot == "a" || $0.note == nil },
            Parcel.all.sorted { $0.pieces }.limit(7)
        )
        try await values(client, request)
        try await groups(client, request)
        try await fields(request)
        // What is joined must have no limit.
        try await joins(request.limit(nil))
        try await joinedGroups(request.limit(nil))
        if random.chance(50) { try await windows(request) }
        if random.chance(50) { try await subqueries(client, request) }
    }

    private mutating func values(
        _ client: any DBClient,
        _ request: FetchRequest<Parcel>
    ) async throws {
        switch random.below(10) {
        case 0:
            try await add("sum of integers", client.observeSum(\.pieces, of: request)) {
                try $0.sum(\.pieces, of: request)
            } text: {
                "\($0)"
            }
        case 1:
            try await add("sum of doubles", client.observeSum(\.weight, of: request)) {
                try $0.sum(\.weight, of: request)
            } text: {
                Self.bits($0)
            }
        case 2:
            try await add("sum of decimals", client.observeSum(\.price, of: request)) {
                try $0.sum(\.price, of: request)
            } text: { (sum: Decimal) in
                "\(sum)"
            }
        case 3:
            try await add("average of integers", client.observeAverage(\.pieces, of: request)) {
                try $0.average(\.pieces, of: request)
            } text: {
                $0.map(Self.bits) ?? "nil"
            }
        case 4:
            try await add("average of doubles", client.observeAverage(\.weight, of: request)) {
                try $0.average(\.weight, of: request)
            } text: {
                $0.map(Self.bits) ?? "nil"
            }
        case 5:
            try await add("average of decimals", client.observeAverage(\.price, of: request)) {
                try $0.average(\.price, of: request)
            } text: {
                $0.map(Self.bits) ?? "nil"
            }
        case 6:
            try await add("least double", client.observeMin(\.weight, of: request)) {
                try $0.min(\.weight, of: request)
            } text: {
                "\(String(describing: $0))"
            }
        case 7:
            try await add("greatest decimal", client.observeMax(\.price, of: request)) {
                try $0.max(\.price, of: request)
            } text: {
                "\(String(describing: $0))"
            }
        case 8:
            try await add("least text", client.observeMin(\.note, of: request)) {
                try $0.min(\.note, of: request)
            } text: {
                "\(String(describing: $0))"
            }
        default:
            try await add("greatest integer", client.observeMax(\.pieces, of: request)) {
                try $0.max(\.pieces, of: request)
            } text: {
                "\(String(describing: $0))"
            }
        }
    }

    private mutating func groups(
        _ client: any DBClient,
        _ request: FetchRequest<Parcel>
    ) async throws {
        switch random.below(8) {
        case 0:
            let terms = request.grouped(by: \.depot)
            try await add(
                "groups",
                terms.select(
                    .count,
                    .sum(\.weight),
                    .average(\.price),
                    .min(\.note),
                    .max(\.pieces)
                )
            )
        case 1:
            let groups = request.grouped(by: \.route, \.depot).having { $0.count > 1 }
            try await add("groups of two", groups.select(.sum(\.price), .countDistinct(\.pieces)))
        case 2:
            let best = request.grouped(by: \.route).sorted { $0.sum(\.pieces).descending }
            try await add("the best groups", best.offset(1).limit(2).select(.sum(\.pieces)))
        case 3:
            let sorted = request.grouped(by: \.depot, \.pieces)
                .sorted { [$0.average(\.weight).descending.nilsFirst, $0.min(\.route).ascending] }
            try await add("sorted groups", sorted.limit(4).select(.average(\.weight), .count))
        case 4: try await add("different values", request.grouped(by: \.note).keys)
        case 5:
            let groups = request.grouped(by: \.depot)
                .having { $0.sum(\.weight) > 3 || $0.max(\.note) == nil }
            try await add("chosen groups", groups.select(.max(\.weight)))
        case 6:
            let groups = request.grouped { $0.depot.lowercased() }
            try await add("computed groups", groups.select(.sum(\.pieces), .count))
        default:
            let groups = request.grouped(by: \.depot).select(.sum(\.price), .count)
            try await add("rows of groups", groups.map { "\($0.key): \($0.values)" })
        }
    }

    private static func bits(_ value: Double) -> String {
        value.isNaN ? "nan" : "\(value) \(value.bitPattern)"
    }

    /// Begins to observe a value.
    mutating func add<Value: Sendable>(
        _ name: String,
        _ stream: ValueStream<Value>,
        _ fresh: @escaping @Sendable (ReadTransaction) throws -> Value,
        text: @escaping @Sendable (Value) -> String
    ) async throws {
        let follower = TextFollower(name, stream, text: text)
        try await add(Watched(name: name, follower: follower) { text(try fresh($0)) })
    }

    /// Begins to observe rows.
    mutating func add<Row: Sendable>(
        _ name: String,
        _ request: SelectRequest<Row>
    ) async throws {
        let name = "\(name), \(try clients[0].observe(request).explain())"
        let follower = TextFollower(name, clients[0].observe(request))
        try await add(Watched(name: name, follower: follower) { "\(try $0.fetch(request))" })
    }

    private mutating func add(_ new: Watched) async throws {
        var new = new
        let fresh = new.fresh
        new.history = [try await clients[0].read { try fresh($0) }]
        watched.append(new)
    }

    // MARK: Commits

    /// The writes of one commit, which may be undone in the end.
    struct Unit: Sendable {
        private let steps: [Step]
        private let isUndone: Bool

        init(_ random: RandomSource) {
            steps = (0...random.below(5)).map { _ in Step(random) }
            isUndone = random.chance(10)
        }

        func run(_ transaction: WriteTransaction) throws {
            for step in steps { try step.run(transaction) }
            if isUndone { throw CancellationError() }
        }
    }

    /// One write.
    private enum Step: Sendable {
        case put(Parcel)
        case place(Station)
        case remove(Int)
        case charge(String)
        case delete(Int)
        case deleteAll(String)
        case move(from: String, to: String)
        case raise(below: Int)
        case undone([Step])

        init(_ random: RandomSource) {
            switch random.below(26) {
            case 20..<23: self = .place(Station(random))
            case 23, 24: self = .remove(random.below(8))
            case 25: self = .charge(random.pick("a", "b", "é"))
            case 0..<11: self = .put(Parcel(random))
            case 11..<15: self = .delete(random.below(24))
            case 15: self = .deleteAll(random.pick("a", "b", "é"))
            case 16: self = .move(from: random.pick("a", "b"), to: random.pick("b", "c", "a"))
            case 17..<19: self = .raise(below: random.below(24))
            default:
                self = .undone([.put(Parcel(random)), .place(Station(random)), .deleteAll("a")])
            }
        }

        func run(_ transaction: WriteTransaction) throws {
            switch self {
            case .put(let parcel): try transaction.upsert(parcel)
            case .place(let station): try transaction.upsert(station)
            case .remove(let id): try transaction.delete(Station.self, key: id)
            case .charge(let code):
                try transaction.update(Station.where { $0.code == code }) {
                    $0.modify(\.tariff) { $0 += 1 }
                }
            case .delete(let id): try transaction.delete(Parcel.self, key: id)
            case .deleteAll(let depot): try transaction.delete(Parcel.where { $0.depot == depot })
            case .move(let from, let to):
                try transaction.update(Parcel.where { $0.depot == from && $0.pieces < 3 }) {
                    $0.set(\.depot, to: to)
                }
            case .raise(let id):
                try transaction.update(Parcel.where { $0.id < id }) {
                    $0.modify(\.pieces) { $0 += 1 }
                }
            case .undone(let steps):
                do {
                    try transaction.write { inner in
                        for step in steps { try step.run(inner) }
                        throw CancellationError()
                    }
                } catch is CancellationError {}
            }
        }
    }
}

extension Parcel {
    fileprivate init(_ random: RandomSource) {
        self.init(
            random.below(24),
            random.pick("a", "b", "A", "é", "e\u{301}"),
            route: random.pick(nil, 1, 2, 3),
            pieces: random.pick(0, 1, 2, 3, 7, -4, 1 << 53, -(1 << 60)),
            price: random.pick(
                nil,
                Decimal(random.below(1_000)) / 100,
                Decimal(-7),
                Decimal(string: "12345678901234567890.000000000000001")
            ),
            weight: random.pick(
                0,
                Double(random.below(100)) / 10,
                0.1,
                -2.5,
                1e300,
                -1e300,
                .leastNonzeroMagnitude,
                random.chance(5) ? .infinity : 3
            ),
            note: random.pick(nil, "x", "y", "é", "")
        )
    }
}

extension Station {
    fileprivate init(_ random: RandomSource) {
        self.init(
            random.below(8),
            random.pick("a", "b", "A", "é", "e\u{301}"),
            route: random.pick(nil, 1, 2, 3),
            tariff: random.below(6),
            hub: random.pick(nil, random.below(8))
        )
    }
}
