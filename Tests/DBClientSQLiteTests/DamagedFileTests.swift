import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

/// Files that were damaged: what opening, reading and verifying them notice.
///
/// SQLite's pages have no checksums, so a value that became another value of its type is not noticed unless an index
/// has it too. Nothing may end the process.
@Suite(.timeLimit(.minutes(15))) struct DamagedFileTests {
    enum Kind: CaseIterable, Sendable {
        case bytes, bit, zeroedPage, truncated, swappedPages, formerPage

        /// Whether the damage is one to the structure, which verifying always notices.
        var isStructural: Bool {
            switch self {
            case .zeroedPage, .truncated, .swappedPages: true
            case .bytes, .bit, .formerPage: false
            }
        }
    }

    private static let pageSize = 4_096
    private let folder: TemporaryFolder
    private let heroes: [Hero]
    /// The file before its last change.
    private let former: [UInt8]
    private let sound: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        heroes = (1...600).map { id in
            Hero(
                id: id,
                name: "hero \(id * 7_919 % 601)",
                team: id % 5 == 0 ? nil : "team \(id % 20)",
                power: Double(id) / 3,
                badge: id % 3 == 0 ? Data(repeating: UInt8(id % 256), count: id) : nil
            )
        }
        let first = try SQLDBClient.sqlite(at: folder.store)
        try first.blocking.insert(heroes.map { Hero(id: $0.id, name: $0.name, power: -1) })
        try first.close()
        former = [UInt8](try Data(contentsOf: folder.store))
        let second = try SQLDBClient.sqlite(at: folder.store)
        _ = try second.blocking.upsert(heroes)
        try second.close()
        sound = [UInt8](try Data(contentsOf: folder.store))
    }

    private func damaged(_ kind: Kind, seed: UInt64) -> [UInt8] {
        var random = SplitMix(state: seed)
        var file = sound
        let size = Self.pageSize
        let pages = file.count / size
        func page(_ range: Range<Int>) -> Range<Int> {
            let number = Int.random(in: range, using: &random)
            return number * size..<(number + 1) * size
        }
        switch kind {
        case .bytes:
            let start = Int.random(in: 0..<file.count - 16, using: &random)
            for index in start..<start + 16 { file[index] = .random(in: 0...255, using: &random) }
        case .bit:
            file[Int.random(in: 0..<file.count, using: &random)] ^=
                1 << UInt8.random(in: 0...7, using: &random)
        case .zeroedPage:
            for index in page(0..<pages) { file[index] = 0 }
        case .truncated:
            file.removeLast(Int.random(in: 1..<file.count, using: &random))
        case .swappedPages:
            let (left, right) = (page(1..<pages / 2), page(pages / 2..<pages))
            for (left, right) in zip(left, right) { file.swapAt(left, right) }
        case .formerPage:
            let range = page(0..<min(pages, former.count / size))
            file.replaceSubrange(range, with: former[range])
        }
        return file
    }

    private func put(_ bytes: [UInt8]) throws {
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder.store.path + suffix)
        }
        try Data(bytes).write(to: folder.store)
    }

    /// Reads all by the table and by an index, and returns whether it is what was written.
    private func readsWhatWasWritten() throws -> Bool {
        let client = try SQLDBClient.sqlite(at: folder.store)
        defer { try? client.close() }
        guard try client.blocking.fetch(Hero.all) == heroes else { return false }
        for number in 0..<20 {
            let team = "team \(number)"
            let found = try client.blocking.fetch(Hero.where { $0.team == team }).map(\.id)
            if found != heroes.filter({ $0.team == team }).map(\.id) { return false }
        }
        return true
    }

    @Test(arguments: Kind.allCases)
    func damageEndsNoProcess(kind: Kind) throws {
        for seed in 0..<12 {
            let bytes = damaged(kind, seed: UInt64(seed))
            if bytes == sound { continue }
            try put(bytes)
            let refusal = code {
                try SQLDBClient.verifySQLite(at: folder.store, models: [Hero.self])
            }
            try put(bytes)
            var isSame: Bool?
            let failure = code { isSame = try readsWhatWasWritten() }
            if kind.isStructural {
                #expect(refusal == .corrupt, "seed \(seed)")
            }
            // Every failure is one of the library's errors.
            #expect(failure != nil || isSame != nil, "seed \(seed)")
        }
    }

    @Test func aSoundFilePasses() throws {
        try SQLDBClient.verifySQLite(at: folder.store, models: [Hero.self])
        #expect([UInt8](try Data(contentsOf: folder.store)) == sound)
    }

    @Test func anIndexThatDiffersFromItsTableIsFound() throws {
        var bytes = sound
        let text = Array("hero 77".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
        bytes[place] = UInt8(ascii: "H")
        try put(bytes)
        let error = failure { try SQLDBClient.verifySQLite(at: folder.store) }
        #expect(error?.code == .corrupt)
        #expect(error?.engineMessage?.contains("missing from index") == true)
    }

    @Test func aRowThatRefersToNothingIsFound() throws {
        let program = RawConnection(folder.store)
        #expect(
            program.run(
                "CREATE TABLE t (a INTEGER REFERENCES Hero (id)); INSERT INTO t VALUES (5000)"
            )
                == 0
        )
        let error = failure { try SQLDBClient.verifySQLite(at: folder.store) }
        #expect(error?.code == .corrupt)
        #expect(error?.description.contains("refers") == true)
    }

    @Test func aTextThatIsNotUTF8IsFound() throws {
        #expect(
            RawConnection(folder.store)
                .run("CREATE TABLE t (a TEXT); INSERT INTO t VALUES (CAST(x'41FF42' AS TEXT))") == 0
        )
        #expect(code { try SQLDBClient.verifySQLite(at: folder.store) } == .corrupt)
    }

    @Test func aValueThatTheModelCannotReadIsFound() throws {
        #expect(
            RawConnection(folder.store).run("UPDATE Hero SET aliases = '[1]' WHERE id = 7") == 0
        )
        try SQLDBClient.verifySQLite(at: folder.store)
        #expect(
            code { try SQLDBClient.verifySQLite(at: folder.store, models: [Hero.self]) } == .corrupt
        )
    }

    /// The declaration of the table says what each column was written with.
    @Test(arguments: ["aliases = '[1'", "name = char(65, 0, 66)"])
    func aValueThatItsColumnWasNotWrittenWithIsFound(assignment: String) throws {
        try SQLDBClient.verifySQLite(at: folder.store)
        #expect(
            RawConnection(folder.store).run(
                "UPDATE Hero SET \(assignment) WHERE id = 7"
            ) == 0
        )
        let error = failure { try SQLDBClient.verifySQLite(at: folder.store) }
        #expect(error?.code == .corrupt)
        #expect(error?.field == String(assignment.prefix { $0 != " " }))
    }

    /// Pages of zeros were read as text.
    @Test func aTextWithZerosIsNotRead() throws {
        #expect(
            RawConnection(folder.store)
                .run("UPDATE Hero SET name = char(65, 0, 66) WHERE id = 7") == 0
        )
        let client = try SQLDBClient.sqlite(at: folder.store)
        #expect(code { _ = try client.blocking.fetch(Hero.all) } == .decoding)
        #expect(try client.blocking.find(Hero.self, key: 8) == heroes[7])
        try client.close()
    }

    @Test func whatIsNotThereIsNotVerified() throws {
        let missing = folder.url.appending(path: "missing")
        #expect(code { try SQLDBClient.verifySQLite(at: missing) } == .io)
        #expect(!FileManager.default.fileExists(atPath: missing.path))
    }

    @Test func aFileThatSomethingElseChangedIsCheckedWhenItIsOpened() throws {
        var bytes = sound
        let text = Array("hero 77".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
        bytes[place] = UInt8(ascii: "H")
        try put(bytes)
        let error = failure { _ = try SQLDBClient.sqlite(at: folder.store) }
        #expect(error?.code == .corrupt)
        #expect(error?.engineMessage?.contains("missing from index") == true)
        var configuration = SQLiteConfiguration()
        configuration.verification = .never
        let client = try SQLDBClient.sqlite(at: folder.store, configuration: configuration)
        #expect(try client.blocking.count(Hero.all) == 600)
        try client.close()
        // Nothing was found to be sound.
        #expect(code { _ = try SQLDBClient.sqlite(at: folder.store) } == .corrupt)
    }

    /// Another program may have switched the rule off.
    @Test func rowsThatBreakARuleAreNoDamage() throws {
        #expect(
            RawConnection(folder.store).run(
                """
                PRAGMA ignore_check_constraints = ON;
                CREATE TABLE t (a INTEGER CHECK (a > 0)); INSERT INTO t VALUES (-1)
                """
            ) == 0
        )
        let client = try SQLDBClient.sqlite(at: folder.store)
        #expect(try client.blocking.count(Hero.all) == 600)
        try client.close()
    }

    /// A collation of another program's is not there when the file is checked.
    @Test func whatCannotBeCheckedIsOpened() throws {
        #expect(
            RawConnection(folder.store).run(
                """
                CREATE TABLE t (a TEXT COLLATE NOCASE); CREATE INDEX i ON t (a); INSERT INTO t VALUES ('b');
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'THEIRS') WHERE name = 't'
                """
            ) == 0
        )
        let client = try SQLDBClient.sqlite(at: folder.store)
        #expect(try client.blocking.count(Hero.all) == 600)
        try client.close()
    }

    /// The structure is checked when the log of a process that was killed is found.
    @Test(arguments: [true, false]) func aFileThatWasNotClosedIsCheckedWhenItIsOpened(
        isDamaged: Bool
    ) throws {
        let client = try SQLDBClient.sqlite(at: folder.store)
        try client.blocking.insert(Hero(id: 1_000, name: "the last"))
        let left = folder.url.appending(path: "left.sqlite")
        var bytes = [UInt8](try Data(contentsOf: folder.store))
        if isDamaged {
            // Some are in the log, but not all.
            for start in stride(from: Self.pageSize, to: bytes.count, by: Self.pageSize) {
                for index in start..<start + 8 { bytes[index] = 255 }
            }
        }
        try Data(bytes).write(to: left)
        try FileManager.default.copyItem(
            atPath: folder.store.path + "-wal",
            toPath: left.path + "-wal"
        )
        try client.close()
        if isDamaged {
            #expect(code { _ = try SQLDBClient.sqlite(at: left) } == .corrupt)
        } else {
            let next = try SQLDBClient.sqlite(at: left)
            #expect(try next.blocking.count(Hero.all) == 601)
            try next.close()
        }
    }
}

/// Numbers that a seed determines.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
