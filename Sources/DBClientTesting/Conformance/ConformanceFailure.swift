/// A failure of a backend to do what the library promises.
public struct ConformanceFailure: Error, CustomStringConvertible, Sendable {
    /// A description of what was expected and what was found.
    public let message: String
    /// The file of the expectation that failed, as `#fileID` has it.
    public let file: String
    /// The line of the expectation that failed, from 1.
    public let line: Int

    /// Creates a failure with a message and the place in the source that it is about.
    public init(_ message: String, file: String = #fileID, line: Int = #line) {
        self.message = message
        self.file = file
        self.line = line
    }

    /// The message and where it comes from.
    public var description: String {
        "\(message) (\(file):\(line))"
    }
}
