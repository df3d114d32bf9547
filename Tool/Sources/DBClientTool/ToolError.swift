/// A failure of the command itself, in words for the person who called it.
package struct ToolError: Error, CustomStringConvertible {
    /// What must be and what was found.
    package let message: String
    /// What to do about it.
    package let hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    /// The message, and the hint after it.
    package var description: String { hint.map { "\(message) \($0)" } ?? message }
}
