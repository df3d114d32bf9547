import DBClientCore
import DBClientObjectStore
import DBClientSQLite
import Foundation
import Testing

/// Several windows on one page of `dbclient browse`, and what becomes of a window whose observation fails.
@Suite(.serialized, .enabled(if: Chromium.path != nil))
struct BrowserWindowTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    @Test func fiveWindowsAreLiveAndASixthOnceOneIsClosed() async throws {
        let server = try BrowseServer(place, try await place.heroes())
        let client = try ObjectStoreDBClient(
            at: place.folder.appendingPathComponent("heroes.store")
        )
        defer { try? client.close() }
        let page = try Chromium(in: place.folder)
        var windows: [String] = []
        let filters = ["", "id > 0", "id < 100", "name != ''", "id = 7"]
        for filter in filters {
            windows.append(try page.addWindow())
            try page.open(server.address)
            try page.wait("isLive() && text('.entities .count') === '3'")
            #expect(try page.run("document.hidden") as? Bool == false)
            try page.click("a[href='#/Publisher']")
            try page.click(".filter")
            try page.write(filter)
            try page.press("Enter", code: 13)
            try page.wait("text('.bar h2') === 'Publisher' && isLive()")
        }
        try await client.insert(Publisher(id: 7, name: "DC"))
        for window in windows {
            page.use(window)
            try page.wait("row(7) && isLive()")
            try page.wait("all('.entities .count')[1].textContent === '3'")
        }
        // One connection is left for calls, so a sixth window shows rows.
        let sixth = try page.addWindow()
        try page.open(server.address)
        try page.wait("all('.row').length === 3")
        try page.wait("document.querySelector('.live').title.includes('keeps 5 windows live')")
        try page.closeWindow(windows[0])
        page.use(sixth)
        try page.wait("isLive()")
        try page.wait("text('.entities .count') === '3'")
    }

    @Test func anObservationThatFailedIsBegunAgain() async throws {
        let client = try SQLDBClient.sqlite(at: place.folder.appendingPathComponent("other.sqlite"))
        defer { try? client.close() }
        try client.blocking.execute(
            "CREATE TABLE Team (id INTEGER PRIMARY KEY NOT NULL, size INTEGER NOT NULL)"
        )
        try client.blocking.execute("INSERT INTO Team VALUES (1, 11)")
        let server = try BrowseServer(place, "other.sqlite")
        let page = try Chromium(in: place.folder)
        try page.open(server.address)
        try page.wait("row(1) && isLive()")
        try client.blocking.execute("INSERT INTO Team VALUES (2, 'eleven')")
        try page.wait("text('.live').startsWith('not live, trying again: ')")
        // What can be told is told meanwhile.
        try page.wait("text('.entities .count') === '2'")
        try client.blocking.execute("UPDATE Team SET size = 12 WHERE id = 2")
        try page.wait("isLive() && row(2)?.innerText.includes('12')")
        try client.blocking.execute("DELETE FROM Team WHERE id = 1")
        try page.wait("!row(1) && isLive()")
        #expect(page.problems == [])
    }
}
