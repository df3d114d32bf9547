import Foundation
import Testing

/// A run of `dbclient browse` in a process of its own.
final class BrowseServer {
    private let process: Process
    let port: UInt16
    let token: String
    let address: String

    /// Starts the command on a store, and waits for its address.
    ///
    /// `path` is where it finds other programs.
    init(_ place: Workplace, _ arguments: String..., path: String? = nil) throws {
        process = place.process(["browse"] + arguments)
        if let path {
            let environment = ProcessInfo.processInfo.environment
            process.environment = environment.merging(["PATH": path]) { $1 }
        }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        var lines = PipeLines(pipe)
        let line = lines.next()
        address = try #require(line)
        let match = try #require(
            address.wholeMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/#token=([0-9a-f]{64})/)
        )
        port = try #require(UInt16(match.1))
        token = String(match.2)
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// Interrupts the process and returns its exit code.
    func interrupt() -> Int32 {
        process.interrupt()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// What the server answers.
    struct Answer {
        let status: Int
        let head: String
        let body: Data

        /// A member of the object that the body is.
        subscript(name: String) -> Any? { object[name] }

        var object: [String: Any] {
            (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
        }

        /// The rows of a page, each as its texts.
        var rows: [[String?]] { BrowseServer.rows(object["rows"]) }
    }

    /// Returns the texts of rows of a message.
    static func rows(_ part: Any?) -> [[String?]] {
        (part as? [[String: Any]] ?? []).map { row in
            (row["v"] as? [Any] ?? []).map { $0 as? String }
        }
    }

    /// Calls the server with the token.
    func call(_ name: String, _ message: [String: Any] = [:]) throws -> Answer {
        try send("POST", "/api/\(name)", ["Authorization": "Bearer \(token)"], message)
    }

    /// Sends a request, and waits for the end of the answer.
    func send(
        _ method: String,
        _ path: String,
        _ headers: [String: String] = [:],
        _ message: [String: Any] = [:]
    ) throws -> Answer {
        var connection = try open(method, path, headers, message)
        let bytes = connection.rest()
        let end = try #require(bytes.firstRange(of: Data("\r\n\r\n".utf8)))
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let status = try #require(Int(head.split(separator: " ")[1]))
        return Answer(status: status, head: head, body: Data(bytes[end.upperBound...]))
    }

    /// Opens a stream of events.
    func events() throws -> Events {
        let headers = ["Authorization": "Bearer \(token)"]
        return try Events(connection: open("POST", "/api/events", headers, [:]))
    }

    /// Begins an observation, whose events a stream has under a number.
    func observe(_ what: [String: Any], _ number: Int, in events: Events) throws -> Answer {
        let place: [String: Any] = ["stream": events.stream, "number": number]
        return try call("observe", place.merging(what) { first, _ in first })
    }

    private func open(
        _ method: String,
        _ path: String,
        _ headers: [String: String],
        _ message: [String: Any]
    ) throws -> Connection {
        let body = try JSONSerialization.data(withJSONObject: message)
        var fields = ["Host": "127.0.0.1:\(port)", "Content-Length": "\(body.count)"]
        fields["Connection"] = "close"
        fields.merge(headers) { $1 }
        let head =
            "\(method) \(path) HTTP/1.1\r\n"
            + fields.map { "\($0.key): \($0.value)\r\n" }.joined() + "\r\n"
        return try Connection(to: port, sending: Data(head.utf8) + body)
    }
}

/// The events of a stream, as they come.
struct Events {
    private var connection: Connection
    /// The number of the stream.
    private(set) var stream = 0
    /// Events that were not asked for yet.
    private var waiting: [[String: Any]] = []

    fileprivate init(connection: Connection) throws {
        self.connection = connection
        stream = try #require(next("open")["stream"] as? Int)
    }

    /// Waits for the next event of a type and of an observation, for two minutes at most.
    mutating func next(_ type: String, of number: Int? = nil) throws -> [String: Any] {
        func isWanted(_ event: [String: Any]) -> Bool {
            event["type"] as? String == type && event["of"] as? Int == number
        }
        if let place = waiting.firstIndex(where: isWanted) { return waiting.remove(at: place) }
        while true {
            let next = connection.nextLine()
            let line = try #require(next)
            guard line.hasPrefix("data: ") else { continue }
            let event =
                try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8))
                as? [String: Any] ?? [:]
            if isWanted(event) { return event }
            waiting.append(event)
        }
    }
}

/// A connection to the loopback address, read by the calling thread.
struct Connection {
    private let file: FileHandle
    private var buffer = Data()

    init(to port: UInt16, sending data: Data) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &limit,
            socklen_t(MemoryLayout<timeval>.size)
        )
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0)
        try file.write(contentsOf: data)
    }

    /// Returns everything up to the end.
    mutating func rest() -> Data {
        while let more = receive() { buffer += more }
        return buffer
    }

    /// Returns the next line without its break; nil at the end.
    mutating func nextLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer = Data(buffer[(end + 1)...]) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            guard let more = receive() else { return nil }
            buffer += more
        }
    }

    private func receive() -> Data? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(file.fileDescriptor, &bytes, bytes.count, 0)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? Data(bytes[..<count]) : nil
        }
    }
}
