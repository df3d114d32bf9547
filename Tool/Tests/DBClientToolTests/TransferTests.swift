import DBClientCore
import DBClientObjectStore
import DBClientSQLite
import Foundation
import Testing

/// Rows that go from store to file, to store and to another store.
@Suite struct TransferTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    @Test func anExportIsImportedAsItWas() async throws {
        _ = try await place.heroes()
        #expect(try place.run("export", "heroes.store", "-o", "heroes.jsonl").code == 0)
        try await place.empty("heroes.store")
        let run = try place.run("import", "heroes.store", "heroes.jsonl")
        #expect(run.code == 0, "\(run.errors)")
        #expect(try await place.stored("heroes.store") == Workplace.heroes)
        let again = try place.run("import", "heroes.store", "heroes.jsonl")
        #expect(again.code == 1)
        #expect(again.errors.contains("primary key"))
        #expect(try place.files.contains("heroes.jsonl.partial") == false)
    }

    @Test func aCutExportIsRefusedWhole() async throws {
        _ = try await place.heroes()
        let whole = try place.run("export", "heroes.store").output
        try await place.empty("heroes.store")
        var cuts = Array(stride(from: 0, to: whole.utf8.count - 1, by: 37))
        cuts.append(whole.utf8.count - 2)
        let lastLine = whole.split(separator: "\n").last!.utf8.count + 1
        cuts.append(whole.utf8.count - lastLine)
        for cut in cuts {
            let bytes = Data(whole.utf8.prefix(cut))
            try bytes.write(to: place.folder.appendingPathComponent("cut.jsonl"))
            let run = try place.run("import", "heroes.store", "cut.jsonl")
            #expect(run.code == 1, "\(cut)")
        }
        #expect(try await place.stored("heroes.store").isEmpty)
        let fewer = whole.split(separator: "\n").enumerated().filter { $0.offset != 2 }
            .map { String($0.element) }.joined(separator: "\n")
        let run = try place.run("import", "heroes.store", "-", input: fewer)
        #expect(run.errors.contains("the rows that its last line tells"))
        #expect(try await place.stored("heroes.store").isEmpty)
        #expect(try place.run("import", "heroes.store", "-", input: whole).code == 0)
        #expect(try await place.stored("heroes.store") == Workplace.heroes)
    }

    @Test func aCSVFileKeepsTypes() async throws {
        _ = try await place.heroes()
        let export = try place.run(
            "export",
            "heroes.store",
            "--entity",
            "Hero",
            "--format",
            "csv",
            "-o",
            "heroes.csv"
        )
        #expect(export.code == 0)
        let client = try ObjectStoreDBClient(
            at: place.folder.appendingPathComponent("heroes.store")
        )
        try await client.deleteAll(Hero.self)
        try client.close()
        let run = try place.run("import", "heroes.store", "heroes.csv", "--entity", "Hero")
        #expect(run.code == 0, "\(run.errors)")
        var expected = Workplace.heroes
        // The links of a list are rows of their own, which a file of one entity has not.
        expected[0].rivals = References()
        #expect(try await place.stored("heroes.store") == expected)
        let all = try place.run("export", "heroes.store", "--format", "csv")
        #expect(all.errors.contains("one entity"))
    }

    @Test func aWrongCSVFileNamesRowAndColumnAndImportsNothing() async throws {
        _ = try await place.heroes()
        let good = "id,name,power,isActive,code,worth,tags\n10,a,1,true,\(UUID()),1,[]\n"
        let bad = [
            ("id,nme\n1,a\n", "Line 1, column 2: Hero has no field \"nme\""),
            ("id,id\n1,1\n", "the field id is there twice"),
            ("", "The file is empty"),
            (
                good + "11,b,x,true,\(UUID()),1,[]\n",
                "Line 3, column 3 (power): the value must be a number; got x"
            ),
            (good + "11,b,1,true,\(UUID()),1\n", "Line 3: there must be 7 values"),
            (good + "11,,1,true,\(UUID()),1,[]\n", "Line 3, field name: a value must be given"),
            (
                good + "11,b,1,true,\(UUID()),1,[\n",
                "Line 3, field tags: The text must be valid JSON"
            ),
            (good + "11,\"b,1,true\n", "Line 3, column 2: the file ends within quotes"),
            (good + "10,b,1,true,\(UUID()),1,[]\n", "primary key"),
            (good + "11,a,1,true,\(UUID()),1,[]\n", "has this already"),
        ]
        for (text, message) in bad {
            try text.write(toFile: place.path("bad.csv"), atomically: true, encoding: .utf8)
            let run = try place.run("import", "heroes.store", "bad.csv", "--entity", "Hero")
            #expect(run.code == 1)
            #expect(run.errors.contains(message), "\(run.errors)")
        }
        #expect(try await place.stored("heroes.store") == Workplace.heroes)
        #expect(try place.run("import", "heroes.store", "bad.csv").errors.contains("--entity"))
        #expect(
            try place.run("import", "heroes.store", "bad.csv", "--entity", "Villain").errors
                .contains("The entities are Hero, Publisher")
        )
    }

    @Test func aCopyIsTheSameOnEveryEngine() async throws {
        let store = try await place.heroes()
        let first = try place.run("copy", store, "sqlite:heroes.sqlite", "--verify")
        #expect(first.code == 0, "\(first.errors)")
        #expect(first.output.contains("Hero: 3 inserted, 0 replaced"))
        #expect(first.output.contains("the checksums are equal"))
        #expect(first.errors == "")
        let second = try place.run("copy", "heroes.sqlite", "object:back.store", "--verify")
        #expect(second.code == 0, "\(second.errors)")
        #expect(try await place.stored("back.store") == Workplace.heroes)
        let again = try place.run("copy", store, "heroes.sqlite")
        #expect(again.code == 1)
        #expect(again.errors.contains("primary key"))
        #expect(try place.run("copy", store, "heroes.sqlite", "--replace").code == 1)
        let replaced = try place.run("copy", store, "heroes.sqlite", "--replace", "--yes")
        #expect(replaced.output.contains("Hero: 0 inserted, 3 replaced"))
        #expect(try place.run("copy", store, "sqlite:\(store)").code == 1)
        #expect(try place.run("copy", store, store).code == 1)
        #expect(try place.run("copy", store, "new.store").errors.contains("object:new.store"))
        let part = try place.run("copy", store, "object:part.store", "--entity", "Publisher")
        #expect(part.output == "Publisher: 2 inserted, 0 replaced\n")
        let related = try place.run("copy", store, "object:related.store", "--entity", "Hero")
        #expect(related.output.contains("Publisher: 2 inserted"))
    }

    @Test func whatNothingWasEverStoredOfIsNoObstacleToACopy() async throws {
        let client = try ObjectStoreDBClient(at: place.folder.appendingPathComponent("lone.store"))
        try await client.insert(Workplace.heroes[2])
        try client.close()
        let run = try place.run("copy", "lone.store", "sqlite:lone.sqlite", "--verify")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("Hero: 1 inserted"))
        #expect(try place.run("check", "lone.sqlite").code == 0)
    }

    @Test(arguments: [50, 200, 400, 700]) func aKilledCopyLeavesNothingAndRunsAgain(
        _ milliseconds: Int
    ) async throws {
        let client = try ObjectStoreDBClient(at: place.folder.appendingPathComponent("many.store"))
        try await client.insert((1...20_000).map { Publisher(id: $0, name: "name \($0)") })
        try client.close()
        for target in ["sqlite:kept.sqlite", "object:kept.store"] {
            let process = try place.start("copy", "many.store", target)
            // When the copy is killed decides nothing: at each moment it is all or nothing.
            usleep(UInt32(milliseconds) * 1_000)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let again = try place.run(
                "copy",
                "many.store",
                target,
                "--verify",
                "--replace",
                "--yes"
            )
            #expect(again.code == 0, "\(again.errors)")
            let isDone = again.output.contains("Publisher: 0 inserted, 20000 replaced")
            #expect(isDone || again.output.contains("Publisher: 20000 inserted, 0 replaced"))
        }
    }

    @Test(arguments: [100, 250, 600]) func aKilledResumableCopyGoesOn(
        _ milliseconds: Int
    ) async throws {
        _ = try await place.heroes("many.store")
        let client = try ObjectStoreDBClient(at: place.folder.appendingPathComponent("many.store"))
        try await client.insert((10..<30_000).map { Publisher(id: $0, name: "name \($0)") })
        try client.close()
        for target in ["sqlite:kept.sqlite", "object:kept.store"] {
            for _ in 0..<3 {
                let process = try place.start("copy", "many.store", target, "--resumable")
                // When the copy is killed decides nothing: what it has committed stays, once.
                usleep(UInt32(milliseconds) * 1_000)
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
            }
            let rest = try place.run("copy", "many.store", target, "--resumable", "--verify")
            #expect(rest.code == 0, "\(rest.errors)\(rest.output)")
            let numbers = try #require(
                rest.output.firstMatch(of: /Publisher: (\d+) inserted, (\d+) were there/)
            )
            #expect((Int(numbers.1) ?? 0) + (Int(numbers.2) ?? 0) == 29_992)
            let again = try place.run("copy", "many.store", target, "--resumable", "--verify")
            #expect(again.output.contains("Publisher: 0 inserted, 29992 were there"))
            #expect(again.output.contains("Hero: 0 inserted, 3 were there"))
        }
        #expect(try await place.stored("kept.store") == Workplace.heroes)
        #expect(try place.run("copy", "a", "b", "--resumable", "--replace").code == 64)
    }

    @Test func anUnfinishedCopyIsToldAndGoneOnWith() async throws {
        _ = try await place.heroes("many.store")
        let client = try ObjectStoreDBClient(at: place.folder.appendingPathComponent("many.store"))
        try await client.insert((10..<60_000).map { Publisher(id: $0, name: "name \($0)") })
        try client.close()
        for target in ["kept.sqlite", "kept.store"] {
            let address = target.hasSuffix("sqlite") ? "sqlite:\(target)" : "object:\(target)"
            // It is killed once it has begun, and before it has come to its end.
            var isUnfinished = false
            for _ in 0..<20 where !isUnfinished {
                let process = try place.start("copy", "many.store", address, "--resumable")
                while process.isRunning, !isUnfinished {
                    usleep(20_000)
                    let found = try? place.run("inspect", target)
                    isUnfinished = found?.output.contains("not finished: a copy of") == true
                }
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                isUnfinished = try place.run("inspect", target).output.contains("not finished")
                if !isUnfinished {
                    for end in ["", "-wal", "-shm", "-lock"] { unlink(place.path(target + end)) }
                }
            }
            try #require(isUnfinished)
            let check = try place.run("check", target)
            #expect(check.code == 2)
            #expect(check.output.contains("many.store, begun 20"))
            #expect(try place.run("schema", "print", target).output.contains("dbclient") == false)
            let rest = try place.run("copy", "many.store", target, "--verify")
            #expect(rest.code == 0, "\(rest.errors)\(rest.output)")
            #expect(rest.errors.contains("Going on with the copy of "))
            #expect(rest.output.contains("the checksums are equal"))
            #expect(try place.run("inspect", target).output.contains("not finished") == false)
            #expect(try place.run("check", target).code == 0)
        }
    }

    @Test func aDifferenceIsFoundByVerify() async throws {
        let store = try await place.heroes()
        #expect(try place.run("copy", store, "sqlite:heroes.sqlite").code == 0)
        let client = try SQLDBClient.sqlite(
            at: place.folder.appendingPathComponent("heroes.sqlite")
        )
        try await client.insert(Publisher(id: 9, name: "More"))
        try client.close()
        let run = try place.run("copy", store, "heroes.sqlite", "--replace", "--yes", "--verify")
        #expect(run.code == 2)
        #expect(run.output.contains("differs: Publisher: 2 rows"))
    }
}
