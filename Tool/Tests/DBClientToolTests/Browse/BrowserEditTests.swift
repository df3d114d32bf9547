import DBClientCore
import DBClientSQLite
import Foundation
import Testing

/// Edits in a real browser, of a table of another program with fields that the database computes.
@Suite(.serialized, .enabled(if: Chromium.path != nil))
struct BrowserEditTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    @Test func computedFieldsAreReadOnlyAndTheLaterOfTwoEditsIsUndoneFirst() async throws {
        let client = try SQLDBClient.sqlite(at: place.folder.appendingPathComponent("other.sqlite"))
        defer { try? client.close() }
        try client.blocking.execute(
            """
            CREATE TABLE Box (id INTEGER PRIMARY KEY NOT NULL, side INTEGER NOT NULL,
                area INTEGER NOT NULL AS (side * side) STORED)
            """
        )
        try client.blocking.execute("INSERT INTO Box (id, side) VALUES (1, 3)")
        let server = try BrowseServer(place, "other.sqlite")
        let page = try Chromium(in: place.folder)
        try page.open(server.address)
        try page.click(at: "row(1)?.children[1]")
        try page.wait("text('.panel h2') === 'Box 1'")
        try page.wait(
            "all('.field input').map((input) => input.readOnly).join() === 'true,false,true'"
        )
        #expect(
            try page.run("all('.field .type')[2].textContent.endsWith('computed')") as? Bool == true
        )
        for side in [4, 5] {
            try page.click(at: "all('.field input')[1]")
            try page.write("\(side)")
            try page.press("Enter", code: 13, modifiers: 2)
            try page.wait("row(1).children[2].textContent === '\(side * side)'")
            try page.wait("all('.field input')[2].value === '\(side * side)'")
        }
        // The message of the first edit has a button of its own.
        try page.wait(
            "all('.notice button').filter((item) => item.textContent === 'Undo').length === 2"
        )
        try page.click(at: "named('.notice button', 'Undo')")
        try page.wait(
            "text('.notice.failure').includes('The later edit of side must be undone first')"
        )
        #expect(try page.run("text('#undo')") as? String == "Undo (2)")
        try page.click("#undo")
        try page.wait("row(1).children[2].textContent === '16' && text('#undo') === 'Undo'")
        try page.click("#undo")
        try page.wait("row(1).children[2].textContent === '9'")
        // A new row is asked for the other fields alone.
        try page.click(at: "named('.bar button', 'New row')")
        try page.wait("text('.panel h2') === 'New Box'")
        try page.wait("all('.field-message')[2].textContent === 'Made by the database.'")
        try page.click(at: "all('.field input')[0]")
        try page.write("2")
        try page.click(at: "all('.field input')[1]")
        try page.write("6")
        try page.press("Enter", code: 13, modifiers: 2)
        try page.wait("row(2)?.children[2].textContent === '36'")
        // The refusal that was provoked is the only one.
        #expect(
            page.problems.filter { !$0.contains("the server responded with a status of 409") } == []
        )
    }
}
