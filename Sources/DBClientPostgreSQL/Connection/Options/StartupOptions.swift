/// The settings of a session in the option `options` of a connection, such as `-c lock_timeout=500`.
struct StartupOptions {
    private let settings: Set<String>

    init(_ text: String) {
        var settings: Set<String> = []
        var isValue = false
        for word in text.split(whereSeparator: \.isWhitespace) {
            if word == "-c" {
                isValue = true
                continue
            }
            let assignment =
                isValue
                ? word : word.hasPrefix("-c") || word.hasPrefix("--") ? word.dropFirst(2) : ""
            isValue = false
            guard let end = assignment.firstIndex(of: "=") else { continue }
            // The server takes either character, of either case.
            settings.insert(assignment[..<end].lowercased().replacing("-", with: "_"))
        }
        self.settings = settings
    }

    /// Whether they set a setting, given its name in lower case.
    func names(_ setting: String) -> Bool { settings.contains(setting) }
}
