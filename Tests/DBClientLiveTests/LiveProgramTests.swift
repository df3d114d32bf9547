import DBClientCore
import DBClientLive
import Foundation
import Testing

@testable import DBClientTesting

/// Random programs of commits, of other requests, of pauses and of wider windows, against the laws of live objects.
@MainActor
struct LiveProgramTests {
    private static let programs =
        ProcessInfo.processInfo.environment["DBCLIENT_LIVE_PROGRAMS"].flatMap { Int($0) } ?? 12

    @Test(arguments: Stores.allCases)
    func whatIsShownKeepsTheLaws(_ store: Stores) async throws {
        for seed in 0..<Self.programs {
            let client = try store.open()
            try await run(
                RandomSource(seed: UInt64(seed + 1)),
                client,
                "\(store), seed \(seed + 1)"
            )
            try client.close()
        }
    }

    private func run(
        _ random: RandomSource,
        _ client: any DBClient,
        _ name: Comment
    ) async throws {
        try await client.insert((0..<40).map { Hero($0, power: Double($0 % 7)) })
        let isPaged = random.chance(50)
        let live = client.live(request(random), page: isPaged ? 8 : nil)
        // What each of the requests finds after each commit.
        var requests = [live.request]
        var states = [try await client.fetch(live.request)]
        let sections = client.live(Hero.all.sorted { $0.power }) { Int($0.power) }
        let perPower = Hero.all.grouped(by: \.power).select(.count)
        let groups = client.live(perPower, of: Hero.all, id: { $0.key })
        let count = client.liveCount(Hero.where { $0.power > 3 })
        let follower = LiveFollower(live)
        for _ in 0..<60 {
            switch random.below(10) {
            case 0:
                live.request = request(random)
                requests.append(live.request)
                states.append(try await client.fetch(live.request))
            case 1: live.loadMore()
            case 2: live.isPaused ? live.resume() : live.pause()
            case 3: await eventually(name) { live.isPaused || live.state.isReady }
            default:
                try await commit(random, client)
                for request in requests { states.append(try await client.fetch(request)) }
            }
            if random.chance(40) { await Task.yield() }
            if random.chance(20) { try await Task.sleep(for: .milliseconds(1)) }
        }
        live.resume()
        let last = try await client.fetch(Hero.all)
        let wanted = try await client.fetch(live.request)
        await eventually(name) {
            live.state.isReady
                && live.elementsEqual(live.hasMore ? wanted.prefix(live.count) : wanted[...])
        }
        await eventually(name) { count.value == last.filter { $0.power > 3 }.count }
        let sorted = try await client.fetch(Hero.all.sorted { $0.power })
        await eventually(name) { sections.flatMap(\.self) == sorted }
        #expect(sections.map(\.key) == Set(last.map { Int($0.power) }).sorted(), name)
        #expect(
            sections.allSatisfy { section in section.allSatisfy { Int($0.power) == section.key } },
            name
        )
        let sizes = Dictionary(grouping: last, by: \.power).mapValues(\.count)
        await eventually(name) {
            groups.values.count == sizes.count
                && groups.values.allSatisfy { sizes[$0.key] == $0.values }
        }
        // Each that was shown is what a request finds between two commits.
        for told in follower.told {
            #expect(
                states.contains {
                    (isPaged || $0.count == told.count) && $0.starts(with: told)
                },
                name
            )
        }
        #expect(follower.told.count > 3, name)
        #expect(follower.violations == 0, name)
    }

    private func request(_ random: RandomSource) -> FetchRequest<Hero> {
        let bound = Double(random.below(7))
        let request = random.chance(50) ? Hero.all : Hero.where { $0.power >= bound }
        switch random.below(4) {
        case 0: return request
        case 1: return request.sorted { $0.power.descending }
        case 2: return request.sorted { [$0.power, $0.name.descending] }
        default: return request.sorted { $0.name }.limit(5 + random.below(20))
        }
    }

    private func commit(_ random: RandomSource, _ client: any DBClient) async throws {
        let steps = (0...random.below(3)).map { _ in
            (kind: random.below(4), key: random.below(60), power: Double(random.below(7)))
        }
        try await client.write { transaction in
            for step in steps {
                switch step.kind {
                case 0: try transaction.delete(Hero.self, keys: [step.key])
                case 1: try transaction.upsert(Hero(step.key, power: step.power))
                case 2:
                    try transaction.update(Hero.where { $0.id == step.key }) {
                        $0.set(\.power, to: step.power)
                    }
                default:
                    try transaction.update(Hero.where { $0.id == step.key }) {
                        $0.set(\.name, to: "Hero \(step.power)")
                    }
                }
            }
        }
    }
}
