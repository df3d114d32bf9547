/// The names of prepared statements that are no longer referenced; a statement may outlive its
/// connection.
final class ReleasedNames {
    private var names: [String] = []

    var isEmpty: Bool { names.isEmpty }

    func append(_ name: String) {
        names.append(name)
    }

    /// Returns the control statements that have the server forget them.
    func take() -> [String] {
        defer { names.removeAll() }
        return names.map { Self.verb + $0 }
    }

    /// Takes the names back of those among control statements that were not sent.
    func takeBack(_ controls: [String]) {
        for control in controls where control.hasPrefix(Self.verb) {
            names.append(String(control.dropFirst(Self.verb.count)))
        }
    }

    private static let verb = "DEALLOCATE "
}
