import Foundation

/// What the command says to the caller.
package enum Terminal {
    /// Whether a person reads the messages, so that a bar may move.
    static var showsProgress: Bool { isatty(STDERR_FILENO) != 0 }

    /// Writes a line beside the output.
    package static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// Writes text to the output.
    package static func write(_ text: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    /// Asks whether to go on, unless that was said; throws where the answer is no, or there is no terminal to ask on.
    static func confirm(_ question: String, unless isAgreed: Bool) throws {
        if isAgreed { return }
        guard isatty(STDIN_FILENO) != 0 else {
            throw ToolError("\(question) Without a terminal, --yes must say so.")
        }
        FileHandle.standardError.write(Data("\(question) [y/N] ".utf8))
        guard ["y", "yes"].contains(readLine()?.lowercased()) else {
            throw ToolError("Nothing was done.")
        }
    }

    /// Asks for a password, which is not shown; nil without a terminal.
    static func askPassword(_ prompt: String = "Password: ") -> String? {
        guard isatty(STDIN_FILENO) != 0, let password = getpass(prompt) else { return nil }
        return String(cString: password)
    }
}
