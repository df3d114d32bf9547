/// A file of generated Swift.
public struct GeneratedFile: Hashable, Sendable {
    /// The name of the file, without a folder.
    public let name: String
    /// The content of the file.
    public let text: String

    init(name: String, lines: [String]) {
        self.name = name
        text = lines.joined(separator: "\n") + "\n"
    }
}
