import DBClientCore
import DBClientSQLite
import Foundation
import Testing

/// The page when another program alters the tables that it shows.
@Suite(.serialized, .enabled(if: Chromium.path != nil))
struct BrowserSchemaTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    @Test func alteredTablesAreShownAsTheyAreNow() async throws {
        let client = try SQLDBClient.sqlite(at: place.folder.appendingPathComponent("other.sqlite"))
        try await client.execute("CREATE TABLE Thing (id INTEGER PRIMARY KEY, name TEXT)")
        try await client.execute("INSERT INTO Thing VALUES (1, 'a'), (2, 'b')")
        let server = try BrowseServer(place, "other.sqlite")
        let page = try Chromium(in: place.folder)
        try page.open(server.address)
        try page.wait("first()[1] === 'a'")
        // An observation reads the rows again when something is written.
        try await client.execute("ALTER TABLE Thing RENAME COLUMN name TO title")
        try await client.execute("INSERT INTO Thing VALUES (3, 'c')")
        try page.wait("all('.heading .title').map((head) => head.innerText).join() === 'id,title'")
        try page.wait("first()[1] === 'a' && rowsStatus().endsWith('of 3 rows')")
        try page.wait("text('.live') === 'live'")
        try await client.execute("ALTER TABLE Thing RENAME TO Object")
        try await client.execute("INSERT INTO Object VALUES (4, 'd')")
        try page.wait(
            "all('.entities a').map((item) => item.innerText.split('\\n')[0]).join() === 'Object'"
        )
        try client.close()
    }
}
