import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import Foundation
import StoreEntry

/// Runs a command about damaged files, and returns whether it was one.
///
///     make-damageable object-store|sqlite FILE FORMER
///     use-damaged object-store|sqlite FILE FORMER FOLDER SEED FIRST COUNT open|verify|unverified|rot
///     use-bytes FILE FOLDER FIRST COUNT [open|unverified]
func runDamageCommand(_ arguments: [String]) throws -> Bool {
    switch arguments.first {
    case "make-damageable" where arguments.count == 4:
        try makeDamageable(arguments[1], arguments[2], arguments[3])
    case "use-damaged" where arguments.count == 9:
        guard let seed = UInt64(arguments[5]), let first = Int(arguments[6]),
            let count = Int(arguments[7])
        else { return false }
        let sound = try [UInt8](Data(contentsOf: URL(fileURLWithPath: arguments[2])))
        let former = try [UInt8](Data(contentsOf: URL(fileURLWithPath: arguments[3])))
        for number in first..<first + count {
            let damage = Damage.allCases[number % Damage.allCases.count]
            var random = Numbers64(seed: seed &+ UInt64(number))
            var file = sound
            damage.apply(to: &file, former: former, &random)
            // A disk that forgets changes no time of the file.
            let before = arguments[8] == "rot" ? sound : nil
            try use(file, number, "\(damage)", arguments[1], arguments[4], arguments[8], before)
        }
    case "use-bytes" where arguments.count == 5 || arguments.count == 6:
        guard let first = Int(arguments[3]), let count = Int(arguments[4]) else { return false }
        let sound = try [UInt8](Data(contentsOf: URL(fileURLWithPath: arguments[1])))
        // Eight changes of each byte of the meta pages, and of the first page of the list of tables.
        let places = Array(0..<152) + (4_096..<4_096 + 152).map(\.self) + placesOfTables(sound)
        for number in first..<min(first + count, places.count * 8) {
            let place = places[number / 8]
            var file = sound
            switch number % 8 {
            case 0: file[place] ^= 0x01
            case 1: file[place] ^= 0x80
            case 2: file[place] = 0
            case 3: file[place] = 0xFF
            case 4: file[place] ^= 0x04
            case 5: file[place] &+= 1
            case 6: file[place] &-= 1
            default: file[place] ^= 0x10
            }
            if file == sound { continue }
            try use(
                file,
                number,
                "byte \(place)",
                "object-store",
                arguments[2],
                arguments.count == 6 ? arguments[5] : "verify"
            )
        }
    default: return false
    }
    return true
}

/// The places of the bytes of the first page of the list of tables.
private func placesOfTables(_ file: [UInt8]) -> [Int] {
    file.withUnsafeBytes { bytes in
        func number(_ page: Int, _ offset: Int) -> UInt64 {
            bytes.loadUnaligned(fromByteOffset: page * 4_096 + offset, as: UInt64.self)
        }
        let newest = number(0, 144) > number(1, 144) ? 0 : 1
        let root = Int(number(newest, 128)) * 4_096
        return Array(root..<root + 4_096)
    }
}

private let entryCount = 3_000
private let partCount = 2_000
private let paperCount = 60

private func makeDamageable(_ engine: String, _ path: String, _ former: String) throws {
    let url = URL(fileURLWithPath: path)
    let client = try openStore(engine: engine, at: url)
    try client.blocking.insert((0..<entryCount * 2).map { Entry($0) })
    try client.blocking.insert((0..<paperCount).map { Paper($0) })
    try client.blocking.insert((0..<partCount).map { Part($0) })
    try client.blocking.delete(Entry.where { $0.id >= entryCount })
    for id in stride(from: 0, to: partCount, by: 50) {
        try client.blocking.update(Part.self, key: id) { $0.set(\.weight, to: 1) }
    }
    try client.close()
    try FileManager.default.copyItem(at: url, to: URL(fileURLWithPath: former))
    let again = try openStore(engine: engine, at: url)
    for id in stride(from: 0, to: partCount, by: 50) {
        try again.blocking.upsert(Part(id))
    }
    try again.blocking.insert(Entry(entryCount))
    try again.close()
    print("made")
}

/// Writes a file, and prints its number, what was done to it, and what came of using it as a store.
private func use(
    _ file: [UInt8],
    _ number: Int,
    _ kind: String,
    _ engine: String,
    _ folder: String,
    _ way: String,
    _ before: [UInt8]? = nil
) throws {
    let url = URL(fileURLWithPath: folder).appendingPathComponent("\(number).store")
    for suffix in ["", "-lock", "-wal", "-shm", "-journal"] { unlink(url.path + suffix) }
    try Data(before ?? file).write(to: url)
    if before != nil {
        try openStore(engine: engine, at: url).close()
        try replace(url, file)
    }
    say("begin \(number) \(kind)")
    // What takes longer hangs, and ends here.
    alarm(60)
    say("end \(number) \(outcome(url, engine, way))")
    alarm(0)
    for suffix in ["", "-lock", "-wal", "-shm", "-journal"] { unlink(url.path + suffix) }
}

/// Writes a file's content without a trace in its time.
private func replace(_ url: URL, _ content: [UInt8]) throws {
    let handle = try FileHandle(forWritingTo: url)
    try handle.write(contentsOf: content)
    try handle.truncate(atOffset: UInt64(content.count))
    try handle.close()
    // No later than it was, to however many digits a date has.
    try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
        ofItemAtPath: url.path
    )
}

private func outcome(_ url: URL, _ engine: String, _ way: String) -> String {
    var notices: [String] = []
    var wrong: [String] = []
    func attempt(_ name: String, _ body: () throws -> Bool) {
        do {
            if try !body() { wrong.append(name) }
        } catch {
            notices.append(name)
        }
    }
    do {
        if way == "verify", engine == "object-store" { try ObjectStoreDBClient.verify(at: url) }
        if way == "verify", engine == "sqlite" {
            try SQLDBClient.verifySQLite(at: url, models: [Entry.self, Paper.self, Part.self])
        }
        if way == "verify-unmodelled" { try SQLDBClient.verifySQLite(at: url) }
    } catch {
        return "noticed verify"
    }
    let verification: ObjectStoreDBClient.Verification =
        ["open", "rot"].contains(way) ? .whenChanged : .never
    func open() throws -> any DBClient {
        engine == "object-store"
            ? try ObjectStoreDBClient(at: url, verification: verification)
            : try openStore(engine: engine, at: url)
    }
    do {
        let client = try open()
        let entries = (0...entryCount).map { Entry($0) }
        let parts = (0..<partCount).map { Part($0) }
        read(client, entries, parts, attempt)
        let changed = Entry(7, text: "changed", bucket: 3)
        attempt("write") {
            try client.blocking.upsert(changed)
            try client.blocking.insert(Entry(entryCount + 1))
            try client.blocking.delete(Part.self, key: partCount - 1)
            try client.blocking.upsert((100..<400).map { Part($0) })
            return true
        }
        let wrote = !notices.contains("write")
        try client.close()
        let again = try open()
        if wrote {
            var expected = entries + [Entry(entryCount + 1)]
            expected[7] = changed
            read(again, expected, parts.dropLast(), attempt)
        }
        try again.close()
    } catch {
        notices.append("open")
    }
    if !wrong.isEmpty { return "wrong \(wrong.joined(separator: ",")) noticed \(notices)" }
    return notices.isEmpty ? "right" : "noticed \(notices[0])"
}

/// Reads everything in each of the ways in which it can be read.
private func read(
    _ client: any DBClient,
    _ entries: [Entry],
    _ parts: [Part],
    _ attempt: (String, () throws -> Bool) -> Void
) {
    let blocking = client.blocking
    attempt("fetch") { try blocking.fetch(Entry.all) == entries }
    attempt("count") { try blocking.count(Entry.all) == entries.count }
    attempt("find") {
        let keys = Array(stride(from: 0, to: entries.count, by: 3))
        return try blocking.find(Entry.self, keys: keys) == keys.map { entries[$0] }
    }
    for bucket in 0..<7 {
        let expected = entries.filter { $0.bucket == bucket }
        attempt("bucket") { try blocking.fetch(Entry.where { $0.bucket == bucket }) == expected }
        attempt("count of bucket") {
            try blocking.count(Entry.where { $0.bucket == bucket }) == expected.count
        }
    }
    attempt("text") {
        let expected = entries.sorted { $0.text < $1.text }
        return try blocking.fetch(Entry.all.sorted { $0.text.ascending }) == expected
    }
    attempt("papers") {
        try blocking.fetch(Paper.all)
            == (0..<paperCount).map { Paper($0) }.sorted { $0.name < $1.name }
    }
    attempt("parts") { try blocking.fetch(Part.all) == parts }
    for owner in stride(from: 0, to: 400, by: 9) {
        attempt("owner") {
            try blocking.fetch(Part.where { $0.owner == owner })
                == parts.filter { $0.owner == owner }
        }
    }
    attempt("weight") {
        try blocking.count(Part.where { $0.weight >= 50 })
            == parts.count { $0.weight >= 50 }
    }
    attempt("range") {
        try blocking.fetch(Part.where { $0.id >= 500 && $0.id < 900 })
            == parts.filter { (500..<900).contains($0.id) }
    }
}

private func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
