import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation

/// A model that touches every kind of column.
struct Hero: Stored, Equatable {
    var id: Int
    var name: String
    var team: String?
    var power: Double
    var isActive: Bool
    var badge: Data?
    var aliases: [String] = []

    static let schema = Schema<Hero>(
        name: "Hero",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.name, "name", index: .plain),
            .field(\.team, "team", index: .plain),
            .field(\.power, "power"),
            .field(\.isActive, "isActive"),
            .field(\.badge, "badge"),
            .field(\.aliases, "aliases"),
        ]
    )

    var primaryKey: Int { id }

    init(
        id: Int,
        name: String,
        team: String? = nil,
        power: Double = 0,
        isActive: Bool = true,
        badge: Data? = nil,
        aliases: [String] = []
    ) {
        self.id = id
        self.name = name
        self.team = team
        self.power = power
        self.isActive = isActive
        self.badge = badge
        self.aliases = aliases
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        team = try row.read()
        power = try row.read()
        isActive = try row.read()
        badge = try row.read()
        aliases = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(team)
        try row.write(power)
        try row.write(isActive)
        try row.write(badge)
        try row.write(aliases)
    }
}

/// A model whose names are SQL keywords and hold quotes, with a key of two columns.
struct Hostile: Stored, Equatable {
    var select: String
    var quote: String
    var value: Int

    struct Key: PrimaryKeyValue {
        var select: String
        var quote: String

        static var columnCount: Int { 2 }

        init(_ select: String, _ quote: String) {
            self.select = select
            self.quote = quote
        }

        init(row: inout RowReader) throws {
            select = try row.read()
            quote = try row.read()
        }

        func write(to row: inout RowWriter) throws {
            try row.write(select)
            try row.write(quote)
        }
    }

    static let schema = Schema<Hostile>(
        name: "select \"from\"; DROP TABLE x --",
        fields: [
            .field(\.select, "select", primaryKey: .given),
            .field(\.quote, "a\"b'c", primaryKey: .given),
            .field(\.value, "order", index: .unique),
        ]
    )

    var primaryKey: Key { Key(select, quote) }

    init(select: String, quote: String, value: Int) {
        self.select = select
        self.quote = quote
        self.value = value
    }

    init(row: inout RowReader) throws {
        select = try row.read()
        quote = try row.read()
        value = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(select)
        try row.write(quote)
        try row.write(value)
    }
}

/// A model whose key the store makes.
struct Note: Stored, Equatable {
    var id: Int
    var code: String

    static let schema = Schema<Note>(
        name: "Note",
        fields: [
            .field(\.id, "id", primaryKey: .generated),
            .field(\.code, "code", index: .unique),
        ]
    )

    var primaryKey: Int { id }

    init(id: Int = 0, code: String) {
        self.id = id
        self.code = code
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        code = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(code)
    }
}

/// A folder of a test's own, removed with it.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(
            path: "DBClientSQLiteTests-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var store: URL { url.appending(path: "store.sqlite") }
}

/// Returns the code of the error that a body throws.
func code(_ body: () throws -> Void) -> DBClientError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? DBClientError)?.code
    }
}

/// Returns the error that a body throws.
func failure(_ body: () throws -> Void) -> DBClientError? {
    do {
        try body()
        return nil
    } catch {
        return error as? DBClientError
    }
}

/// Waits for something that happens soon.
func waitUntil(_ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(300)
    while try !condition() {
        guard ContinuousClock.now < end else { throw TimedOut() }
        Thread.sleep(forTimeInterval: 0.005)
    }
}

private struct TimedOut: Error {}
