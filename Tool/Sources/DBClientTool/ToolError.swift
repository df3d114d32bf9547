/// A failure of the command itself, in words for the caller.
package struct ToolError: Error, CustomStringConvertible {
    /// What must be and what was found.
    package let message: String
    /// What to do about it.
    package let hint: String?

    /// Whether an argument was not understood, for which there is an exit code of its own.
    private(set) var isOfArgument = false

    package init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    /// The same failure, as one of an argument that was not understood.
    package var ofArgument: ToolError {
        var error = self
        error.isOfArgument = true
        return error
    }

    /// The message, and the hint after it.
    package var description: String { hint.map { "\(message) \($0)" } ?? message }
}
