import Foundation
import Hummingbird

extension Response {
    /// Creates a response of JSON.
    init(json value: some Encodable, status: HTTPResponse.Status = .ok) throws {
        let data = try JSONEncoder().encode(value)
        self.init(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }
}

extension Request {
    /// The most bytes of a request: values may be large, and a page is no place for larger ones.
    private static let maximumSize = 64 << 20

    /// Returns what the page asks for.
    ///
    /// - Throws: ``PageFailure`` where the request has not the form of the message.
    mutating func message<Message: Decodable>(_ type: Message.Type) async throws -> Message {
        let body = try await collectBody(upTo: Self.maximumSize)
        do {
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch {
            throw PageFailure(
                .badRequest,
                "invalidRequest",
                "The request must be a JSON object with the parts that the call takes."
            )
        }
    }
}
