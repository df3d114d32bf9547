#if Macros
import DBClientCore
import DBClientTestSupport

extension School {
    /// Compares the order of pupils by what is computed from the fields of what they hold.
    func checkComputedSort(_ client: any DBClient, _ random: RandomSource) async throws {
        let pupils = all
        let mentors = Dictionary(uniqueKeysWithValues: pupils.map { ($0.id, $0) })
        func friend(_ pupil: Pupil) -> Pupil? { pupil.friend.flatMap { mentors[$0.key] } }
        let factor = random.below(4) + 1
        switch random.below(7) {
        case 0:
            try await check(
                "count",
                client,
                random,
                { $0.teacher.name.count },
                key: {
                    $0.teacher?.name?.unicodeScalars.count
                }
            )
        case 1:
            try await check(
                "remainder",
                client,
                random,
                { $0.guardian.id * factor % 5 },
                key: {
                    $0.guardian.map { $0.id * factor % 5 }
                }
            )
        case 2:
            try await check(
                "another",
                client,
                random,
                { ($0.teacher.id ?? 3) % factor },
                key: {
                    ($0.teacher?.id ?? 3) % factor
                }
            )
        case 3:
            try await check(
                "negated",
                client,
                random,
                { -($0.guardian.name.count * factor) },
                key: { $0.guardian?.name.map { -$0.unicodeScalars.count * factor } }
            )
        case 4:
            try await check(
                "friend",
                client,
                random,
                through: true,
                { $0.friend.id * -factor },
                key: {
                    friend($0).map { $0.id * -factor }
                }
            )
        case 5:
            try await check(
                "teacher of a friend",
                client,
                random,
                through: true,
                { $0.friend.teacher.name.count + factor },
                key: { friend($0)?.teacher?.name.map { $0.unicodeScalars.count + factor } }
            )
        default:
            try await check(
                "name of none",
                client,
                random,
                { ($0.teacher.name ?? "none").count % factor },
                key: { ($0.teacher?.name ?? "none").unicodeScalars.count % factor }
            )
        }
    }

    private func check<Term: ExpressionTerm>(
        _ name: String,
        _ client: any DBClient,
        _ random: RandomSource,
        through isReference: Bool = false,
        _ term: (Fields<Pupil>) -> Term,
        key: (Pupil) -> Int?
    ) async throws where Term.Model == Pupil {
        let direction = random.below(3)
        let request = Pupil.all.sorted { fields -> [any SortTerm<Pupil>] in
            let expression = term(fields).fieldExpression
            let first =
                switch direction {
                case 0: expression.ascending
                case 1: expression.descending
                default: expression.nilsLast
                }
            return [first, fields.id.descending]
        }
        let sorted = all.sorted { left, right in
            switch (key(left), key(right)) {
            case (nil, nil): return left.id > right.id
            case (nil, _): return direction == 0
            case (_, nil): return direction != 0
            case (let one?, let other?):
                if one == other { return left.id > right.id }
                return direction == 1 ? one > other : one < other
            }
        }
        let (offset, limit) = (random.below(4), random.below(5))
        let found = try await client.fetch(request)
        let page = try await client.fetch(request.offset(offset).limit(limit))
        guard found == sorted, page == Array(sorted.dropFirst(offset).prefix(limit)) else {
            throw ConformanceMismatch("sorted by \(name), \(direction): \(found.map(\.id))")
        }
        // A value does not have what its references name, so nothing continues after it.
        if !isReference, let last = sorted.dropFirst(offset).first {
            let rest = try await client.fetch(request.after(last))
            guard rest == Array(sorted.dropFirst(offset + 1)) else {
                throw ConformanceMismatch("after \(last.id) by \(name): \(rest.map(\.id))")
            }
        }
    }
}
#endif
