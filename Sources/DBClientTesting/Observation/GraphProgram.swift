import DBClientCore

/// Made-up writes to values that hold others, and made-up requests for them.
enum GraphProgram {
    /// Runs made-up units of work.
    ///
    /// What is refused (a value that is still held, a reference to nothing) is undone as a whole.
    static func run(_ random: RandomSource, units: Int, on client: any DBClient) async throws {
        for _ in 0...random.below(units) {
            let steps = (0...random.below(4)).map { _ in step(random) }
            let throwsAtEnd = random.chance(10)
            do {
                try await client.write { transaction in
                    for step in steps { try step(transaction) }
                    if throwsAtEnd { throw SuiteError.deliberate }
                }
            } catch SuiteError.deliberate {
            } catch let error as DBClientError
                where refusals.contains(error.code)
            {}
        }
    }

    private static let refusals: Set<DBClientError.Code> = [
        .danglingReference, .deletionDenied, .notFound,
    ]

    private typealias Step = @Sendable (WriteTransaction) throws -> Void

    private static func step(_ random: RandomSource) -> Step {
        switch random.below(17) {
        case 0, 1, 2:
            let artists = random.list(upTo: 3) { artist($0) }
            return { _ = try $0.upsert(artists) }
        case 3:
            let studio = studio(random)
            return { _ = try $0.upsert(studio) }
        case 4:
            let (id, name) = (random.below(4), name(random))
            return { try $0.update(Studio.self, key: id) { $0.set(\.name, to: name) } }
        case 5:
            let (bound, level) = (random.below(4), random.below(4))
            return { transaction in
                try transaction.update(Skill.where { $0.level >= bound }) {
                    $0.set(\.level, to: level)
                }
            }
        case 6:
            let (id, studio) = (random.below(8), random.chance(70) ? studio(random) : nil)
            return { try $0.update(Artist.self, key: id) { $0.set(\.studio, to: studio) } }
        case 7:
            let (id, skills) = (random.below(8), random.list(upTo: 3) { skill($0) })
            let isSet = random.chance(50)
            return { transaction in
                try transaction.update(Artist.self, key: id) { values in
                    if isSet {
                        values.set(\.tags, to: Set(skills))
                    } else {
                        values.set(\.skills, to: skills)
                    }
                }
            }
        case 8:
            let (id, friends) = (random.below(8), random.list(upTo: 3) { $0.below(8) })
            let mentor = random.below(8)
            return { transaction in
                try transaction.update(Artist.self, key: id) { values in
                    values.set(\.friends, to: References(friends))
                    values.set(\.mentor, to: Reference(mentor))
                }
            }
        case 9:
            let id = random.below(4)
            return { _ = try $0.delete(Studio.self, keys: [id]) }
        case 10:
            let code = "s\(random.below(4))"
            return { _ = try $0.delete(Skill.self, keys: [code]) }
        case 11:
            let ids = random.list(upTo: 3) { $0.below(8) }
            return { _ = try $0.delete(Artist.self, keys: ids) }
        case 12:
            let branch = branch(random, 0)
            return { _ = try $0.upsert(branch) }
        case 13, 14:
            let members = random.list(upTo: 3) { member($0) }
            return { _ = try $0.upsert(members) }
        case 15:
            let (id, name, rank) = (random.below(6), name(random), random.below(4))
            let deletes = random.chance(30)
            return { transaction in
                if deletes {
                    _ = try transaction.delete(Member.self, keys: [id])
                } else {
                    _ = try transaction.update(Member.where { $0.id == id }) { values in
                        values.set(\.name, to: name)
                        values.set(\.rank, to: rank)
                    }
                }
            }
        default:
            let (id, name) = (random.below(9), name(random))
            let deletes = random.chance(30)
            let exhibit = exhibit(random)
            return { transaction in
                _ = try transaction.upsert(exhibit)
                if deletes {
                    _ = try transaction.delete(Branch.self, keys: [id])
                } else {
                    _ = try transaction.update(Branch.where { $0.id == id }) {
                        $0.set(\.name, to: name)
                    }
                }
            }
        }
    }

    // MARK: Values

    private static func name(_ random: RandomSource) -> String { "n\(random.below(4))" }

    private static func studio(_ random: RandomSource) -> Studio {
        Studio(random.below(4), name(random), founded: random.chance(30) ? nil : random.below(3))
    }

    private static func skill(_ random: RandomSource) -> Skill {
        Skill("s\(random.below(4))", random.below(4))
    }

    private static func artist(_ random: RandomSource) -> Artist {
        Artist(
            random.below(8),
            name(random),
            studio: random.chance(60) ? studio(random) : nil,
            former: random.chance(30) ? studio(random) : nil,
            debut: random.chance(30) ? Issue("a", random.below(3), title: name(random)) : nil,
            skills: random.list(upTo: 3) { skill($0) },
            tags: Set(random.list(upTo: 2) { skill($0) }),
            mentor: random.chance(30) ? random.below(8) : nil,
            rival: random.chance(30) ? random.below(12) : nil,
            friends: random.chance(40) ? random.list(upTo: 2) { $0.below(8) } : []
        )
    }

    private static func exhibit(_ random: RandomSource) -> Exhibit {
        Exhibit(
            random.below(4),
            shown: random.list(upTo: 2) { skill($0) },
            guarded: random.chance(20) ? [skill(random)] : [],
            lent: random.list(upTo: 2) { $0.below(6) }
        )
    }

    /// A branch of which the others grow upwards, so that none holds itself.
    private static func branch(_ random: RandomSource, _ least: Int) -> Branch {
        let id = least + random.below(3)
        guard id < 8 else { return Branch(id, name(random)) }
        return Branch(id, name(random), random.list(upTo: 2) { branch($0, id + 1) })
    }

    private static func member(_ random: RandomSource) -> Member {
        Member(
            random.below(6),
            name(random),
            rank: random.below(4),
            boss: random.chance(60) ? random.below(6) : nil
        )
    }

    // MARK: Requests

    /// Returns a request for artists by what they hold and refer to.
    static func artists(_ random: RandomSource) -> FetchRequest<Artist> {
        var request = Artist.all
        for _ in 0..<random.below(3) {
            let condition = condition(random)
            let isOpposite = random.chance(30)
            request = request.filter { isOpposite ? !condition($0) : condition($0) }
        }
        return window(
            random,
            random.pick(
                request,
                request.sorted { $0.name },
                request.sorted { [$0.studio.name, $0.id.descending] },
                request.sorted { [$0.studio.founded.descending, $0.former.name] },
                request.sorted { [$0.mentor.name, $0.name.descending] },
                request.sorted { $0.mentor.studio.name.descending },
                request.sorted { $0.debut.title }
            )
        )
    }

    private static func condition(
        _ random: RandomSource
    ) -> (Fields<Artist>) -> Condition<Artist> {
        let (name, number) = (name(random), random.below(4))
        return random.pick(
            { $0.studio.name == name },
            { $0.studio.founded > 0 || $0.former.name == name },
            { $0.skills.contains { $0.level > number } },
            { $0.tags.allSatisfy { $0.level <= number } },
            { $0.skills.count >= number },
            { $0.skills.count(where: { $0.level == number }) < 2 },
            { $0.mentor.name != name },
            { $0.mentor.studio.name == name },
            { $0.friends.contains { $0.studio.name == name } },
            { $0.mentor.skills.isEmpty },
            { $0.skills.sum(\.level) > number },
            { $0.id > number }
        )
    }

    /// Returns a request for exhibits by what they show.
    static func exhibits(_ random: RandomSource) -> FetchRequest<Exhibit> {
        let number = random.below(4)
        return window(
            random,
            random.pick(
                Exhibit.all,
                Exhibit.where { $0.shown.contains { $0.level >= number } },
                Exhibit.where { $0.lent.count > 0 }.sorted { $0.number.descending }
            )
        )
    }

    /// Returns a request for branches, which hold their own kind.
    static func branches(_ random: RandomSource) -> FetchRequest<Branch> {
        let (name, number) = (name(random), random.below(4))
        return window(
            random,
            random.pick(
                Branch.all,
                Branch.where { $0.branches.contains { $0.name == name } },
                Branch.where { $0.id >= number }.sorted { $0.name }
            )
        )
    }

    /// Returns a request for members, which refer to their own kind.
    static func members(_ random: RandomSource) -> FetchRequest<Member> {
        let (name, number) = (name(random), random.below(4))
        return window(
            random,
            random.pick(
                Member.where { $0.boss.name == name },
                Member.where { $0.boss.boss.rank < number || $0.rank == number },
                Member.where { $0.rank >= number }.sorted { $0.boss.name },
                Member.all.sorted { [$0.boss.rank.descending, $0.name] }
            )
        )
    }

    private static func window<Model>(
        _ random: RandomSource,
        _ request: FetchRequest<Model>
    ) -> FetchRequest<Model> {
        var request = request
        if random.chance(25) { request = request.limit(random.below(5)) }
        if random.chance(20) { request = request.offset(random.below(4)) }
        return request
    }
}
