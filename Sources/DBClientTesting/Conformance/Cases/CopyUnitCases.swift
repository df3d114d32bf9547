import DBClientCore
import Foundation
import Synchronization

/// A copy as one read and one write: what it sees, what is seen of it, and how it ends.
enum CopyUnitCases {
    static let all: [ConformanceCase] = forms + isolation + telling

    private static let forms: [ConformanceCase] =
        CopyCases.bothWays("a copy is a part of the transaction that it is made in") {
            source,
            target in
            try await source.insert([Hero(1), Hero(2)])
            try await throwing {
                try await target.write { transaction in
                    try transaction.insert(Hero(3))
                    try transaction.copy(Hero.self, from: source)
                    try expectEqual(try transaction.count(Hero.all), 3)
                    throw SuiteError.deliberate
                }
            }
            try expectEqual(try await target.count(Hero.all), 0)
            try await target.write { transaction in
                try transaction.insert(Hero(2, "own"))
                try expectErrorInside(.duplicateKey) {
                    try transaction.copy(Hero.self, from: source)
                }
                try expectEqual(try transaction.fetch(Hero.all), [Hero(2, "own")])
                try transaction.copy(Hero.self, from: source, onConflict: .replace)
                try transaction.update(Hero.self, key: 1) { $0.set(\.name, to: "changed") }
            }
            try expectSame(try await target.findAll(Hero.self), [Hero(1, "changed"), Hero(2)])
        }
        + CopyCases.bothWays("a copy is made by code that cannot await, and by operations") {
            source,
            target in
            try await source.insert(CopyCases.artists)
            try await onThread {
                let copied = try target.blocking.copy(Skill.self, Studio.self, from: source)
                try expectEqual(copied.entities.map(\.inserted), [4, 2])
            }
            let issues = WriteOperation.copy(Issue.self, from: source).map(\.inserted)
            try expectEqual(try await target.run(issues), 1)
            try await target.run(.copy(Artist.self, from: source, onConflict: .replace))
            try expectEqual(try await target.findAll(Artist.self), CopyCases.artists)
        }
        + CopyCases.bothWays("entities are copied by a program that knows no models") {
            source,
            target in
            try await source.insert(CopyCases.artists)
            let catalog = try EntityCatalog([Artist.self])
            let copied = try await target.copy(catalog.entities, from: source)
            try expectEqual(copied.entities.map(\.count), [3, 4, 2, 1])
            try expectEqual(try await target.findAll(Artist.self), CopyCases.artists)
        }
        + CopyCases.bothWays("a model that converts is copied as its storage") { source, target in
            try await source.insert([Hero(1, "a", bio: "kept"), Hero(2, "unreadable")])
            let copied = try await target.copy(Champion.self, from: source)
            try expectEqual(copied.entities.map(\.name), ["Hero"])
            try expectSame(
                try await target.findAll(Hero.self),
                [Hero(1, "a", bio: "kept"), Hero(2, "unreadable")]
            )
        }
        + CopyCases.bothWays("live rows know what was copied") { source, target in
            try await source.insert([Hero(1, "new"), Hero(2)])
            try await target.insert(Hero(1, "old"))
            try await target.write { transaction in
                let context = try transaction.entities
                let hero = try context.find(Hero.self, key: 1)
                try hero?.set(\Hero.realName, to: "lost")
                try transaction.copy(Hero.self, from: source, onConflict: .replace)
                try expectEqual(try hero?.value(\Hero.name), "new")
                try expectEqual(try context.find(Hero.self, key: 2)?.value(\Hero.name), "Hero 2")
            }
            try expectSame(try await target.findAll(Hero.self), [Hero(1, "new"), Hero(2)])
        }

    private static let isolation: [ConformanceCase] =
        CopyCases.bothWays(
            "a copy is of one snapshot of the source",
            ofSource: [.concurrentReads]
        ) { source, target in
            let count = RowPagesOf.several
            try await source.insert((0..<count).map { Hero($0) })
            try await source.insert(Studio(1, "before"))
            let isFirst = Mutex(true)
            try await target.copy(Hero.self, Studio.self, from: source) { _ in
                guard isFirst.withLock({ $0.take() }) else { return }
                _ = try? beside {
                    try source.blocking.write { transaction in
                        try transaction.insert([Hero(count), Hero(-1)])
                        try transaction.delete(Hero.self, key: count - 1)
                        try transaction.update(Studio(1, "after"))
                        try transaction.insert(Studio(2, "after"))
                    }
                }
            }
            try expectEqual(try await source.count(Studio.all), 2, "the source was not written to:")
            try expectEqual(
                try await target.fetch(Hero.all.select(\.id)),
                Array(0..<count)
            )
            try expectSame(try await target.findAll(Studio.self), [Studio(1, "before")])
        }
        + CopyCases.bothWays("a copy inside a transaction of the source is of what that sees") {
            source,
            target in
            try await source.insert(Hero(1))
            try await onThread {
                try source.blocking.write { transaction in
                    try transaction.insert(Hero(2))
                    try target.blocking.copy(Hero.self, from: source)
                }
            }
            try expectEqual(try await target.fetch(Hero.all.select(\.id)), [1, 2])
        }
        + CopyCases.bothWays(
            "a copy inside a transaction of the source is of what that sees, though the target is busy"
        ) { source, target in
            try await source.insert(Hero(1))
            let (begun, asked) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            async let other: Void = onThread {
                try target.blocking.write { _ in
                    begun.signal()
                    asked.wait()
                    // Until the copy waits for the writer, which no engine shows. One that comes later has less to
                    // wait for.
                    Thread.sleep(forTimeInterval: 0.05)
                }
            }
            try await onThread {
                begun.wait()
                try source.blocking.write { transaction in
                    try transaction.insert(Hero(2))
                    asked.signal()
                    try target.blocking.copy(Hero.self, from: source)
                }
            }
            try await other
            try expectEqual(try await target.fetch(Hero.all.select(\.id)), [1, 2])
            // The next write finds the writer free.
            try await target.insert(Hero(3))
        }
        + CopyCases.bothWays(
            "a copy that is cancelled ends at the next page, however it was asked for"
        ) { source, target in
            try await source.insert((0..<RowPagesOf.several).map { Hero($0) })
            let forms: [@Sendable (any DBClient) async throws -> Void] = [
                { _ = try await target.copy(Hero.self, from: $0) },
                { _ = try await target.run(.copy(Hero.self, from: $0)) },
                { source in
                    try await target.write { outer in
                        _ = try outer.write { try $0.copy(Hero.self, from: source) }
                    }
                },
            ]
            for copy in forms {
                let task = Mutex<Task<Void, any Error>?>(nil)
                let begun = DispatchSemaphore(value: 0)
                let calls = Tally()
                let cancelling = CallingDBClient(base: source) { call in
                    guard call.kind == .fetch, call.entity == "Hero" else { return }
                    calls.add()
                    if calls.count > 1 { return }
                    begun.wait()
                    task.withLock { $0?.cancel() }
                }
                let copying = Task {
                    _ = try await expectError(.cancelled) { try await copy(cancelling) }
                }
                task.withLock { $0 = copying }
                begun.signal()
                try await copying.value
                try expectEqual(calls.count, 1, "pages that were read:")
                try expectEqual(try await target.count(Hero.all), 0)
            }
        }
        + CopyCases.bothWays("a copy that is cancelled between two pages leaves nothing") {
            source,
            target in
            try await source.insert((0..<RowPagesOf.several).map { Hero($0) })
            try await source.insert(Studio(1, "a"))
            let task = Mutex<Task<Void, any Error>?>(nil)
            let begun = DispatchSemaphore(value: 0)
            let pages = Tally()
            let copying = Task {
                _ = try await expectError(.cancelled) {
                    try await target.copy(Studio.self, Hero.self, from: source) { _ in
                        pages.add()
                        if pages.count > 1 { return }
                        begun.wait()
                        task.withLock { $0?.cancel() }
                    }
                }
            }
            task.withLock { $0 = copying }
            begun.signal()
            try await copying.value
            try expectEqual(pages.count, 1, "pages that were written:")
            try expectEqual(try await target.count(Hero.all), 0)
            try expectEqual(try await target.count(Studio.all), 0)
            try await target.copy(Hero.self, from: source)
            try expectEqual(try await target.count(Hero.all), RowPagesOf.several)
        }

    private static let telling: [ConformanceCase] =
        CopyCases.bothWays(
            "who observes the target is told of a copy as of any other write",
            [.observation]
        ) {
            source,
            target in
            try await source.insert(CopyCases.artists)
            try await target.insert(Artist(9, "own"))
            let request = Artist.all.sorted { $0.name.descending }
            var changes = target.observe(request).makeAsyncIterator()
            guard case .initial(let before) = try await changes.next() else {
                throw ConformanceFailure("there is no initial result")
            }
            try expectEqual(before.map(\.id), [9])
            try await target.copy(Artist.self, from: source)
            guard case .update(let inserted) = try await changes.next() else {
                throw ConformanceFailure("there is no change")
            }
            try expectEqual(inserted.insertions, [1, 2, 3])
            try expectEqual(Array(inserted.objects.dropFirst()), CopyCases.artists.reversed())
            try await source.update(Skill("z", 4))
            try await target.copy(Artist.self, from: source, onConflict: .replace)
            guard case .update(let change) = try await changes.next() else {
                throw ConformanceFailure("there is no change")
            }
            // The one that holds the skill, and no other, whatever was written again as it was.
            try expectEqual(change.modifications.map(\.element.id), [1])
            try expect(change.insertions.isEmpty && change.deletions.isEmpty, "rows came or went")
        }
        + CopyCases.bothWays("a copy tells how far it is") { source, target in
            let count = RowPagesOf.several
            try await source.insert((0..<count).map { Hero($0) })
            try await source.insert(Artist(1, skills: (0..<9).map { Skill("s\($0)") }))
            let told = Mutex<[CopyProgress]>([])
            try await target.copy(Artist.self, Hero.self, from: source) { progress in
                told.withLock { $0.append(progress) }
            }
            let all = told.withLock { $0 }
            try expectEqual(all.last?.fraction, 1)
            try expect(
                zip(all, all.dropFirst()).allSatisfy { $0.fraction < $1.fraction },
                "it went back: \(all.map(\.fraction))"
            )
            let heroes = all.filter { $0.entity == "Hero" }
            try expect(heroes.count > 1, "many rows came in \(heroes.count) page")
            try expectEqual(heroes.last.map { [$0.copied, $0.count] }, [count, count])
            try expectEqual(Set(heroes.map(\.count)), [count])
            let artist = all.last { $0.entity == "Artist" }
            try expectEqual(artist.map { [$0.copied, $0.count] }, [1, 1])
        }

    /// Runs a body that throws on purpose.
    private static func throwing(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch SuiteError.deliberate {
            return
        }
        throw ConformanceFailure("nothing was thrown")
    }
}

extension Bool {
    /// Returns the value and makes it false.
    fileprivate mutating func take() -> Bool {
        defer { self = false }
        return self
    }
}

/// A client that tells of each call before it is made.
private struct CallingDBClient: DBClientDecorator {
    let base: any DBClient
    let tell: @Sendable (TransactionCall) -> Void

    func interceptor(isWrite: Bool) -> (any TransactionInterceptor & Sendable)? {
        Interceptor(tell: tell)
    }

    private struct Interceptor: TransactionInterceptor {
        let tell: @Sendable (TransactionCall) -> Void

        func intercept<Value>(
            _ call: TransactionCall,
            _ body: () throws -> Value
        ) throws -> Value {
            tell(call)
            return try body()
        }
    }
}
