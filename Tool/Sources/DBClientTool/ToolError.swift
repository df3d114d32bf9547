import DBClientCore

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

    /// The failure to read rows that were read before: where their table was altered meanwhile, that is said.
    static func reading(_ entity: EntitySchema, _ error: any Error) -> any Error {
        guard let error = error as? DBClientError, error.code == .schemaMismatch else {
            return error
        }
        return ToolError(
            "Another program has altered the table of \(entity.name) since the command began.",
            hint: "Run the command again to go on with the table as it is now."
        )
    }

    /// The message, and the hint after it.
    package var description: String { hint.map { "\(message) \($0)" } ?? message }
}
