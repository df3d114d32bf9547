import DBClientCore
import DBClientObjectStore
import DBClientPostgreSQL
import DBClientSQLite
import Foundation
import Testing

/// Few of them, that many members refer to.
@Stored struct Squad: Equatable {
    let id: Int
    var name: String
}

/// Many of them.
@Stored struct Member: Equatable {
    let id: Int
    var name: String
    @Indexed var score: Int
    var joined: Date?
    @Relationship(onDelete: .nullify) var squad: Reference<Squad>?
}

/// The page of `dbclient browse` in a real browser, on stores of 100,000 rows.
@Suite(.serialized, .enabled(if: Chromium.path != nil))
struct BrowserTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    private static let count = 100_000
    private static let serverURL = ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"]

    /// The engines that there are.
    static let engines = ["object store", "SQLite"] + (serverURL == nil ? [] : ["PostgreSQL"])

    /// Makes a store, calls a function with its address and a client of it, and takes it away.
    private func withStore(
        _ engine: String,
        _ body: (String, any DBClient) async throws -> Void
    ) async throws {
        let url = place.folder.appendingPathComponent("members")
        guard engine == "PostgreSQL" else {
            let client: any DBClient =
                engine == "SQLite"
                ? try SQLDBClient.sqlite(at: url) : try ObjectStoreDBClient(at: url)
            try await fill(client)
            try await body("members", client)
            return try client.close()
        }
        let server = try #require(Self.serverURL)
        let schema = "browse_\(UUID().uuidString.lowercased().prefix(8))"
        let administrator = try await SQLDBClient.postgreSQL(server)
        try await administrator.execute("CREATE SCHEMA \(identifier: schema)")
        var configuration = PostgreSQLConfiguration()
        configuration.schema = schema
        let client = try await SQLDBClient.postgreSQL(server, configuration: configuration)
        try await fill(client)
        try await client.installPostgreSQLJournal(for: Squad.self, Member.self)
        try await body(server + (server.contains("?") ? "&" : "?") + "schema=\(schema)", client)
        try client.close()
        try await administrator.execute("DROP SCHEMA \(identifier: schema) CASCADE")
        try administrator.close()
    }

    private func fill(_ client: any DBClient) async throws {
        try await client.insert([Squad(id: 1, name: "Red"), Squad(id: 2, name: "Blue")])
        try await client.insert(
            (1...Self.count).map { id in
                Member(
                    id: id,
                    name: "Member \(id)",
                    score: id * 7_919 % 100_003,
                    joined: Date(timeIntervalSince1970: Double(id)),
                    squad: Reference(1 + id % 2)
                )
            }
        )
    }

    @Test(arguments: engines) func aStoreIsLookedAtAndEdited(engine: String) async throws {
        try await withStore(engine) { address, client in
            let server = try BrowseServer(place, address)
            let page = try Chromium(in: place.folder)
            try page.open(server.address)

            // Entities and counts.
            try page.wait(
                """
                all('.entities a').map((item) => item.innerText.replace('\\n', ' '))
                  .join() === 'Member 100,000,Squad 2'
                """
            )
            try page.wait("rowsStatus().endsWith('of 100,000 rows')")
            try page.wait("first()[1] === 'Member 1'")
            #expect(try page.run("location.hash + sessionStorage.length") as? String == "1")

            try scroll(page)
            try sortAndFilter(page)
            try await edit(page, client)
            try await follow(page, client)
            try references(page)

            try page.click(".picture-link")
            try page.wait("all('svg.picture .box').length === 2")
            try page.wait("document.querySelector('svg.picture .lines path')")
            try page.click(".box[aria-label^='Squad']")
            try page.wait("text('.bar h2') === 'Squad'")
            // The refusals that were provoked are the only ones.
            #expect(
                page.problems.filter { !$0.contains("the server responded with a status of 4") }
                    == []
            )
        }
    }

    /// Goes through the rows, of which few are here at a time.
    private func scroll(_ page: Chromium) throws {
        try page.run("document.querySelector('.grid').scrollTop = 50000 * 32")
        try page.wait("first()[0] === '50001'")
        try page.wheel(".grid", by: 3_200)
        try page.wait("first()[0] === '50101'")
        try page.wait("all('.row').length < 80")
        try page.run("document.querySelector('.grid').focus()")
        try page.press("End", code: 35, modifiers: 2)
        try page.wait("row(100000)")
        try page.press("Home", code: 36, modifiers: 2)
        try page.wait("first()[0] === '1'")
        for _ in 0..<2 { try page.press("PageDown", code: 34) }
        try page.wait("Number(first()[0]) > 3")
    }

    private func sortAndFilter(_ page: Chromium) throws {
        try page.click(at: "heading(2)")
        try page.wait("sorted('ascending') === 'score'")
        try page.wait("first()[2] === '1'")
        try page.click(at: "heading(2)")
        try page.wait("first()[2] === '100002'")
        try page.click(".filter")
        try page.write("score <")
        try page.press("Enter", code: 13)
        try page.wait("text('.message.failure').includes('the text ends there')")
        try page.write("score < 3 or name = '\"; DROP TABLE Member; --'")
        try page.press("Enter", code: 13)
        try page.wait("rowsStatus().endsWith('2 rows fulfil the filter')")
        try page.wait("!document.querySelector('.message.failure') && isLive()")
        try page.click(at: "named('.bar button', 'Plan')")
        try page.wait("text('dialog .plan').includes('Member')")
        try page.click("dialog button")
        try page.click(".filter")
        try page.write("id <= 50")
        try page.press("Enter", code: 13)
        try page.wait("rowsStatus().endsWith('50 rows fulfil the filter')")
        try page.click(at: "heading(0)")
        try page.wait("first()[0] === '1'")
    }

    /// Writes two values of a row in one edit, and takes them back.
    private func edit(_ page: Chromium, _ client: any DBClient) async throws {
        try page.click(at: "row(3).children[1]", count: 2)
        try page.wait("text('.panel h2') === 'Member 3'")
        try page.wait("document.activeElement.value === 'Member 3'")
        try page.write("Somebody else")
        try page.click(at: "all('.field input')[1]")
        try page.write("12.5")
        try page.press("Enter", code: 13, modifiers: 2)
        try page.wait("text('.field-message.failure').includes('must be an integer')")
        #expect(try await client.find(Member.self, key: 3)?.name == "Member 3")
        try page.write("77")
        try page.press("Enter", code: 13, modifiers: 2)
        try page.wait("row(3)?.innerText.includes('Somebody else')")
        try page.wait("document.querySelector('.save-bar').hidden")
        let edited = try await client.find(Member.self, key: 3)
        #expect(edited?.name == "Somebody else")
        #expect(edited?.score == 77)
        try page.click(at: "named('.notice button', 'Undo')")
        try page.wait("row(3)?.innerText.includes('Member 3')")
        try page.wait("all('.field textarea')[0].value === 'Member 3'")
        #expect(try await client.find(Member.self, key: 3)?.score == 3 * 7_919)
        try page.press("Escape", code: 27)
        try page.wait("document.querySelector('.panel').hidden")
    }

    /// Sees what others commit.
    private func follow(_ page: Chromium, _ client: any DBClient) async throws {
        try page.wait("isLive()")
        try await client.update(Member.self, key: 5) { $0.set(\.name, to: "Changed elsewhere") }
        try page.wait(
            "row(5).classList.contains('changed') && row(5).innerText.includes('Changed elsewhere')"
        )
        try await client.insert(Member(id: 0, name: "Came", score: 0, joined: nil, squad: nil))
        try page.wait("row(0)?.classList.contains('added') && row(0).index === 0")
        try page.wait("text('.entities .count') === '100,001'")
        try page.wait("rowsStatus().endsWith('51 rows fulfil the filter')")
        try await client.delete(Member.self, key: 0)
        try page.wait("!row(0) && row(1).index === 0")
        // A row that goes to another place of the order.
        try page.click(at: "heading(1)")
        try page.wait("sorted('ascending') === 'name' && row(5)?.index === 0")
        try page.wait("isLive()")
        try await client.update(Member.self, key: 5) { $0.set(\.name, to: "Zero") }
        try page.wait("!row(5)")
        try page.run("document.querySelector('.grid').scrollTop = 1e6")
        try page.wait("row(5)?.index === 49")
    }

    /// Follows a reference to its target, and from there to the rows that refer to it.
    private func references(_ page: Chromium) throws {
        try page.click(at: "row(5).children[1]")
        try page.click(at: "document.querySelector('.references .chip')")
        try page.wait("text('.bar h2') === 'Squad'")
        try page.wait("text('.panel h2') === 'Squad 2'")
        try page.click(at: "named('.chip', '50,000 rows')")
        try page.wait("text('.bar h2') === 'Member'")
        try page.wait("document.querySelector('.filter').value === '\"squad\" = 2'")
        try page.wait("rowsStatus().endsWith('50,000 rows fulfil the filter')")
        try page.run("history.back()")
        try page.wait("text('.bar h2') === 'Squad'")
        try page.run("history.forward()")
        try page.wait("document.querySelector('.filter').value === '\"squad\" = 2'")
    }

    @Test func aPageWithoutTheTokenShowsNothing() async throws {
        let server = try BrowseServer(place, try await place.heroes())
        let page = try Chromium(in: place.folder)
        try page.open("http://127.0.0.1:\(server.port)/")
        try page.wait("text('.state').includes('The token is missing')")
        try page.open("http://127.0.0.1:\(server.port)/#token=0123")
        try page.wait("text('.state').includes('The token is another one')")
        #expect(try page.run("document.body.innerText.includes('Hero')") as? Bool == false)
        try page.open(server.address)
        try page.wait("all('.row').length === 3")
        #expect(server.interrupt() == 0)
        try page.wait(
            "all('.notice, .live').some((item) => /not live|must be running/.test(item.textContent))"
        )
    }

    @Test func aReadOnlyPageHasNoEdits() async throws {
        let server = try BrowseServer(place, try await place.heroes(), "--read-only")
        let page = try Chromium(in: place.folder, width: 420)
        try page.open(server.address)
        try page.click(at: "row(1)?.children[1]")
        try page.wait("text('.panel h2') === 'Hero 1'")
        try page.wait("all('.chip').length >= 4")
        let buttons = "all('button').filter((item) => !item.hidden)"
        let names =
            try page.run("\(buttons).map((item) => item.textContent).join()") as? String ?? ""
        #expect(!names.contains("Delete") && !names.contains("New row") && !names.contains("Undo"))
        #expect(try page.run("document.documentElement.scrollWidth") as? Int == 420)
        #expect(page.problems == [])
    }
}
