import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation

/// A model that touches every kind of column.
@Stored struct Hero: Equatable {
    var id: Int
    @Indexed var name: String
    @Indexed var team: String?
    var power: Double
    var isActive: Bool
    var badge: Data?
    var aliases: [String]

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
}

/// A model whose names are SQL keywords and hold quotes, with a key of two columns.
@Stored("select \"from\"; DROP TABLE x --") struct Hostile: Equatable {
    @PrimaryKey var select: String
    @PrimaryKey @StoredName("a\"b'c") var quote: String
    @Unique @StoredName("order") var value: Int
}

/// A model whose key the store makes.
@Stored struct Note: Equatable {
    @PrimaryKey(.generated) var id: Int
    @Unique var code: String

    init(id: Int = 0, code: String) {
        self.id = id
        self.code = code
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
