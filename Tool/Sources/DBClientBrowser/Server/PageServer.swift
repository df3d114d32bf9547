import DBClientCore
import DBClientTool
import Foundation
import Hummingbird
import Logging

/// Serves the page and its calls on the loopback address.
struct PageServer: Sendable {
    private let browser: StoreBrowser
    private let token: AccessToken
    private let streams = EventStreams()

    init(_ browser: StoreBrowser, token: AccessToken) {
        self.browser = browser
        self.token = token
    }

    /// Serves until the process is interrupted or the task is cancelled.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for a free one.
    ///   - started: Is called with the address of the page once it can be opened.
    /// - Throws: ``ToolError`` where the port is taken; what `started` throws.
    func run(port: Int, started: (String) throws -> Void) async throws {
        let (addresses, addressFound) = AsyncStream<Int?>.makeStream()
        var logger = Logger(label: "dbclient")
        logger.logLevel = .critical
        let application = Application(
            router: router(),
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port),
                reuseAddress: port != 0
            ),
            onServerRunning: { channel in addressFound.yield(channel.localAddress?.port) },
            logger: logger
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // Streams of events would hold a graceful end up, so the end is a cancellation.
                defer { addressFound.finish() }
                try await application.runService(gracefulShutdownSignals: [])
            }
            group.addTask { await Interruption.wait() }
            if let found = await addresses.first(where: { _ in true }), let port = found {
                try started("http://127.0.0.1:\(port)/#token=\(token.text)")
            }
            do {
                try await group.next()
            } catch {
                throw PageServer.described(error, port: port)
            }
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
        }
    }

    private static func described(_ error: any Error, port: Int) -> any Error {
        "\(error)".contains("ddress already in use") || "\(error)".contains("bind")
            ? ToolError(
                "The port must be free to listen on; \(port) is not.",
                hint: "Without --port a free one is taken."
            )
            : error
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: AccessMiddleware(token: token))
        PageFiles.add(to: router)
        add("store", to: router) { (_: NoInput) in try await browser.description() }
        add("rows", to: router) { try await browser.rows($0) }
        add("count", to: router) { try await browser.count($0) }
        add("position", to: router) { try await browser.position($0) }
        add("explain", to: router) { try await browser.explain($0) }
        add("row", to: router) { try await browser.row($0) }
        add("update", to: router) { try await browser.update($0) }
        add("insert", to: router) { try await browser.insert($0) }
        add("delete", to: router) { try await browser.delete($0) }
        add("undo", to: router) { try await browser.undo($0) }
        add("observe", to: router) { try observe($0) }
        add("forget", to: router) { (input: ForgetInput) in
            try streams.stream(input.stream).end(input.number)
            return NoOutput()
        }
        router.post("api/events") { request, _ in
            var request = request
            _ = try await request.message(NoInput.self)
            return EventResponse.response(to: request, streams)
        }
        return router
    }

    /// Begins an observation, whose events are those of a stream that is open.
    private func observe(_ input: ObserveInput) throws -> NoOutput {
        let stream = try streams.stream(input.stream)
        if let rows = input.rows {
            let window = try browser.window(rows)
            stream.begin(input.number) { await window.follow(into: $0) }
        } else if let table = input.total {
            let count = try browser.total(table)
            stream.begin(input.number) { await count.follow(into: $0) }
        } else if input.counts != nil {
            let counts = EntityCounts(browser)
            stream.begin(input.number) { await counts.follow(into: $0) }
        } else {
            throw PageFailure(
                .badRequest,
                "invalidRequest",
                "There must be rows, total or counts to observe; got none of them."
            )
        }
        return NoOutput()
    }

    /// Adds a call that takes a message and returns one.
    private func add<Input: Decodable & SendableMetatype, Output: Encodable & SendableMetatype>(
        _ name: String,
        to router: Router<BasicRequestContext>,
        _ body: @escaping @Sendable (Input) async throws -> Output
    ) {
        router.post(RouterPath("api/\(name)")) { request, _ in
            var request = request
            return try Response(json: try await body(try await request.message(Input.self)))
        }
    }
}

/// The message of a call that takes nothing.
struct NoInput: Decodable {}

/// The answer of a call that returns nothing.
struct NoOutput: Encodable {}
