package import ArgumentParser
import DBClientTool
import Foundation

/// Serves a page on a store to the browsers of this machine.
package struct BrowseCommand: StoreCommand {
    package static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Opens a page on a store: rows to look at and edit, live, on this machine alone.",
        discussion: """
            The address that is printed has a token, without which nothing of the store is shown: keep it to \
            yourself. The server listens on 127.0.0.1 until it is interrupted.

            Rows are edited with the checks of the store, each edit in one transaction that can be undone on \
            the page; --read-only refuses them all. The filter of a table is the condition of query.

            Example: dbclient browse heroes.store --open
            """
    )

    @Argument(help: "The store: a path or a postgres:// URL.")
    var store: String
    @OptionGroup var keys: KeyOptions
    @Flag(help: "Refuse every edit.")
    var readOnly = false
    @Option(help: "The port; a free one by default.")
    var port = 0
    @Flag(help: "Open the page in the browser of this system.")
    var open = false

    package init() {}

    package func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("The port must be from 0, for a free one, to 65535; got \(port).")
        }
    }

    package func perform() async throws -> Bool {
        try await Store.with(store, key: keys.key(), trustsSchema: keys.trustsSchema) { store in
            let browser = try await StoreBrowser(store, isReadOnly: readOnly)
            let server = PageServer(browser, token: AccessToken())
            var page: LaunchPage?
            defer { page?.remove() }
            try await server.run(port: port) { address in
                let mode = readOnly ? ", read-only" : ""
                Terminal.note("\(store.address) (\(store.address.engine))\(mode)")
                try Terminal.write("\(address)\n")
                Terminal.note("Press Control-C to stop.")
                if open { page = try LaunchPage(to: address) }
            }
            return true
        }
    }
}
