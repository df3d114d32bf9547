/// Cuts what comes over a connection into the messages of PostgreSQL's protocol.
struct MessageFilter {
    struct Message {
        var type: UInt8
        var body: [UInt8]

        /// The message as it is sent.
        var bytes: [UInt8] { [type] + MessageFilter.bytes(UInt32(body.count + 4)) + body }
    }

    private let isFromClient: Bool
    /// Whether messages have types by now: those before a session begins have none.
    private var isTyped: Bool
    private var pending: [UInt8] = []

    init(isFromClient: Bool) {
        self.isFromClient = isFromClient
        isTyped = false
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private func number(at index: Int) -> Int {
        pending[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The code of the message that begins a session, of version 3 of the protocol.
    private static let beginning = 196_608

    /// Returns what is passed on of some bytes more, with each message changed by a body.
    mutating func pass(_ bytes: ArraySlice<UInt8>, _ change: (Message) -> [UInt8]) -> [UInt8] {
        pending += bytes
        var passed: [UInt8] = []
        while let message = takeUntyped() { passed += message }
        guard isTyped else { return passed }
        var start = 0
        while pending.count - start >= 5 {
            let length = number(at: start + 1)
            let end = start + 1 + length
            guard pending.count >= end else { break }
            passed += change(
                Message(type: pending[start], body: Array(pending[start + 5..<end]))
            )
            start = end
        }
        pending.removeFirst(start)
        return passed
    }

    /// Returns what stands before the typed messages: requests to encrypt and their answers of one byte, and the
    /// message that begins the session.
    private mutating func takeUntyped() -> [UInt8]? {
        if isTyped { return nil }
        guard isFromClient else {
            // An answer of one byte says that there is no encryption.
            if let first = pending.first, first == UInt8(ascii: "N") && pending.count == 1 {
                return take(1)
            }
            isTyped = !pending.isEmpty
            return nil
        }
        guard pending.count >= 8 else { return nil }
        let length = number(at: 0)
        guard pending.count >= length else { return nil }
        isTyped = number(at: 4) == Self.beginning
        return take(length)
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        defer { pending.removeFirst(count) }
        return Array(pending.prefix(count))
    }
}
