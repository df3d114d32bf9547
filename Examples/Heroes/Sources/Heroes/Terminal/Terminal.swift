import Foundation

/// Standard output.
enum Terminal {
    /// Whether a person watches, so that a line may be drawn over.
    static let isInteractive = isatty(STDOUT_FILENO) == 1

    /// Writes a line.
    static func print(_ line: String = "") {
        write(line + "\n")
    }

    /// Writes text as it is, at once.
    static func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}
