/// Why a store does not hold what a test expects: what was expected and what is there, line by line.
public struct StoreExpectationFailure: Error, CustomStringConvertible {
    /// The file and the line of the expectation, and what has failed there.
    public let location: String
    /// The difference, `-` before what is missing and `+` before what is too much.
    public let difference: String

    /// The location and, below it, the difference, as a test's log shows them.
    public var description: String { "\(location)\n\(difference)" }

    init(expected: [String], found: [String], file: String, line: Int) {
        location = "\(file):\(line): the store differs from what is expected:"
        let changes = found.difference(from: expected) { $0.utf8.elementsEqual($1.utf8) }
        var lines = found.map { "  \($0)" }
        var missing: [String] = []
        for change in changes {
            switch change {
            case .insert(let offset, let element, _): lines[offset] = "+ \(element)"
            case .remove(_, let element, _): missing.append("- \(element)")
            }
        }
        difference = (lines + missing).joined(separator: "\n")
    }
}
