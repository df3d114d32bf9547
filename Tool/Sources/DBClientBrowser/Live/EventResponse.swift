import Foundation
import Hummingbird

/// A response of server-sent events that goes on until the page closes it.
enum EventResponse {
    /// How long a connection is silent at most: a page that has gone is noticed then at the latest.
    private static let silence = Duration.seconds(15)

    /// Creates the response to a request whose message was read.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - streams: The streams, of which the response opens one.
    /// - Returns: The response.
    static func response(to request: Request, _ streams: EventStreams) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream"],
            body: ResponseBody { writer in
                try await write(to: &writer, request, streams)
                try await writer.finish(nil)
            }
        )
    }

    private static func write(
        to writer: inout any ResponseBodyWriter,
        _ request: Request,
        _ streams: EventStreams
    ) async throws {
        let (number, stream) = streams.open()
        defer { streams.close(number) }
        do {
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    defer { group.cancelAll() }
                    group.addTask {
                        while true {
                            try await Task.sleep(for: silence)
                            stream.mailbox.beat()
                        }
                    }
                    var messages = EventMessages()
                    try await writer.write(ByteBuffer(string: EventMessages.opening(of: number)))
                    try await stream.mailbox.deliver { events in
                        let text = try messages.text(of: events)
                        try await writer.write(
                            ByteBuffer(string: text.isEmpty ? ": beat\n\n" : text)
                        )
                    }
                }
            }
        } catch is CancellationError {
            // The page has closed the connection, or the server ends.
        }
    }
}
