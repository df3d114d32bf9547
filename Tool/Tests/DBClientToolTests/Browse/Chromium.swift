import Foundation
import Testing

/// A headless browser with one page, driven by its DevTools protocol over a pair of pipes.
///
/// The browser reads commands from its file descriptor 3 and writes answers to 4, JSON with a NUL after each, so that no
/// port is opened and no other library is needed.
final class Chromium {
    /// The path of the browser; nil where there is none.
    static let path: String? = [
        "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

    private let process: pid_t
    private let commands: FileHandle
    private let answers: FileHandle
    private var buffer = Data()
    private var number = 0
    private var session: String?
    /// The targets of the windows by their sessions.
    private var targets: [String: String] = [:]
    private let size: (width: Int, height: Int)
    /// What the scripts of the page have failed with, and what the browser has refused to load.
    private(set) var problems: [String] = []

    /// A failure of a script that a test has the page run.
    struct ScriptError: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts the browser with its files in a folder.
    init(in folder: URL, width: Int = 1_280, height: Int = 800) throws {
        let path = try #require(Self.path)
        size = (width, height)
        let (read, write) = (try Self.pipe(), try Self.pipe())
        commands = FileHandle(fileDescriptor: read.input, closeOnDealloc: true)
        answers = FileHandle(fileDescriptor: write.output, closeOnDealloc: true)
        process = try Self.spawn(
            [
                path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--no-first-run", "--disable-extensions", "--disable-background-networking",
                "--remote-debugging-pipe",
                "--user-data-dir=\(folder.appendingPathComponent("chromium").path)", "about:blank",
            ],
            commands: read.output,
            answers: write.input
        )
        close(read.output)
        close(write.input)
        try addWindow()
    }

    /// Opens one more window, which the calls that follow are about, and returns it.
    @discardableResult
    func addWindow() throws -> String {
        session = nil
        let place: [String: Any] = ["url": "about:blank", "newWindow": true]
        let target = try #require(try send("Target.createTarget", place)["targetId"] as? String)
        let attached = try send("Target.attachToTarget", ["targetId": target, "flatten": true])
        let window = try #require(attached["sessionId"] as? String)
        session = window
        targets[window] = target
        for domain in ["Page", "Runtime", "Log"] { _ = try send("\(domain).enable") }
        let helpers = ["source": PageScript.helpers]
        _ = try send("Page.addScriptToEvaluateOnNewDocument", helpers)
        _ = try send(
            "Emulation.setDeviceMetricsOverride",
            ["width": size.width, "height": size.height, "deviceScaleFactor": 1, "mobile": false]
        )
        return window
    }

    /// Has the calls that follow be about a window.
    func use(_ window: String) {
        session = window
    }

    /// Closes a window; another one is to be used then.
    func closeWindow(_ window: String) throws {
        session = nil
        _ = try send("Target.closeTarget", ["targetId": targets[window] ?? ""])
    }

    deinit {
        // The group, since the browser has processes of its own.
        kill(-process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    /// Returns a pipe whose ends have high numbers, so that 3 and 4 are free for the browser's.
    private static func pipe() throws -> (output: Int32, input: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(Foundation.pipe(&ends) == 0)
        let high = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 20) }
        for end in ends { close(end) }
        try #require(high.allSatisfy { $0 >= 20 })
        return (high[0], high[1])
    }

    private static func spawn(
        _ arguments: [String],
        commands: Int32,
        answers: Int32
    ) throws -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [Int32(0), 1, 2] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, commands, 3)
        posix_spawn_file_actions_adddup2(&actions, answers, 4)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        var process = pid_t()
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        let status = posix_spawn(&process, arguments[0], &actions, &attributes, &pointers, environ)
        try #require(status == 0)
        return process
    }

    // MARK: The protocol

    /// Sends a command and waits for its answer.
    private func send(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
        number += 1
        var message: [String: Any] = ["id": number, "method": method, "params": parameters]
        if let session { message["sessionId"] = session }
        try commands.write(contentsOf: JSONSerialization.data(withJSONObject: message) + [0])
        while true {
            let answer = try receive()
            guard answer["id"] as? Int == number else {
                note(answer)
                continue
            }
            if let error = answer["error"] { throw ScriptError(description: "\(method): \(error)") }
            return answer["result"] as? [String: Any] ?? [:]
        }
    }

    private func note(_ event: [String: Any]) {
        let parameters = event["params"] as? [String: Any] ?? [:]
        switch event["method"] as? String {
        case "Runtime.exceptionThrown":
            let details = parameters["exceptionDetails"] as? [String: Any] ?? [:]
            let exception = details["exception"] as? [String: Any]
            problems.append("\(exception?["description"] ?? details["text"] ?? details)")
        case "Log.entryAdded":
            let entry = parameters["entry"] as? [String: Any] ?? [:]
            guard entry["level"] as? String == "error" else { return }
            problems.append("\(entry["text"] ?? "") \(entry["url"] ?? "")")
        default: break
        }
    }

    private func receive() throws -> [String: Any] {
        while true {
            if let end = buffer.firstIndex(of: 0) {
                let message = buffer[..<end]
                buffer = Data(buffer[(end + 1)...])
                return try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
            }
            var state = pollfd(fd: answers.fileDescriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&state, 1, 120_000)
            if ready < 0, errno == EINTR { continue }
            guard ready == 1 else {
                throw ScriptError(description: "The browser does not answer.")
            }
            let more = answers.nextData
            if more.isEmpty { throw ScriptError(description: "The browser has ended.") }
            buffer += more
        }
    }

    // MARK: The page

    /// Opens an address.
    func open(_ address: String) throws {
        _ = try send("Page.navigate", ["url": address])
    }

    /// Runs a script in the page and returns the value of its last expression.
    @discardableResult
    func run(_ script: String) throws -> Any? {
        let answer = try send(
            "Runtime.evaluate",
            ["expression": script, "awaitPromise": true, "returnByValue": true]
        )
        if let details = answer["exceptionDetails"] as? [String: Any] {
            let exception = details["exception"] as? [String: Any]
            throw ScriptError(description: "\(exception?["description"] ?? details)")
        }
        return (answer["result"] as? [String: Any])?["value"]
    }

    /// Waits until an expression of the page is true, and returns its value.
    @discardableResult
    func wait(_ expression: String, seconds: Int = 90) throws -> String {
        let value = try run(
            """
            (async () => {
              const end = performance.now() + \(seconds * 1_000);
              for (;;) {
                const value = (() => (\(expression)))();
                if (value) return String(value);
                if (performance.now() > end) {
                  throw new Error(\(Self.quoted(expression)) + " on " + document.body.innerText.slice(0, 1500));
                }
                await new Promise((done) => setTimeout(done, 20));
              }
            })()
            """
        )
        return value as? String ?? ""
    }

    /// Presses the mouse on the element of a selector.
    func click(_ selector: String, count: Int = 1) throws {
        try click(at: "document.querySelector(\(Self.quoted(selector)))", count: count)
    }

    /// Presses the mouse on the element of an expression.
    func click(at expression: String, count: Int = 1) throws {
        try wait(expression)
        let place =
            try run(
                """
                (() => {
                  const element = \(expression);
                  element.scrollIntoView({ block: "nearest" });
                  const { x, y, width, height } = element.getBoundingClientRect();
                  return [x + width / 2, y + height / 2];
                })()
                """
            ) as? [Double] ?? []
        try #require(place.count == 2)
        for press in 1...count {
            for type in ["mousePressed", "mouseReleased"] {
                _ = try send(
                    "Input.dispatchMouseEvent",
                    [
                        "type": type, "x": place[0], "y": place[1], "button": "left",
                        "clickCount": press,
                    ]
                )
            }
        }
    }

    /// Writes text in place of that of the element that has the focus.
    func write(_ text: String) throws {
        try run("document.activeElement.select()")
        _ = try send("Input.insertText", ["text": text])
    }

    /// Presses a key.
    func press(_ key: String, code: Int, modifiers: Int = 0) throws {
        for type in ["rawKeyDown", "keyUp"] {
            _ = try send(
                "Input.dispatchKeyEvent",
                [
                    "type": type, "key": key, "code": key, "windowsVirtualKeyCode": code,
                    "modifiers": modifiers,
                ]
            )
        }
    }

    /// Turns the wheel over the middle of an element.
    func wheel(_ selector: String, by pixels: Int) throws {
        let place =
            try run(
                """
                (() => {
                  const { x, y, width, height } =
                    document.querySelector(\(Self.quoted(selector))).getBoundingClientRect();
                  return [x + width / 2, y + height / 2];
                })()
                """
            ) as? [Double] ?? []
        try #require(place.count == 2)
        _ = try send(
            "Input.dispatchMouseEvent",
            ["type": "mouseWheel", "x": place[0], "y": place[1], "deltaX": 0, "deltaY": pixels]
        )
    }

    /// Writes what the page looks like to a PNG file.
    func picture(to file: URL) throws {
        let answer = try send("Page.captureScreenshot")
        try #require(Data(base64Encoded: answer["data"] as? String ?? "")).write(to: file)
    }

    /// Returns a text as a literal of JavaScript.
    static func quoted(_ text: String) -> String {
        guard let data = try? JSONEncoder().encode(text) else { return "\"\"" }
        return String(decoding: data, as: UTF8.self)
    }
}
