/// One step of a path into a value that is stored as JSON: a key of an object, or a position of a list.
///
/// ```swift
/// let first = $0.info.path("tags", 0, as: String.self)
/// ```
public enum PathStep: Hashable, Sendable {
    /// The key of an object: the coding key of a property, or a key of a dictionary.
    ///
    /// It is compared by its bytes.
    case key(String)
    /// The position of an element of a list, from 0.
    case index(Int)
}

extension PathStep: ExpressibleByStringLiteral {
    /// Creates the step to a key of an object, which a literal such as `"tags"` stands for.
    public init(stringLiteral key: String) { self = .key(key) }
}

extension PathStep: ExpressibleByIntegerLiteral {
    /// Creates the step to an element of a list, which a literal such as `0` stands for.
    public init(integerLiteral index: Int) { self = .index(index) }
}

extension [PathStep] {
    /// The path as JSON.
    ///
    /// - Throws: `.invalidRequest` for a position below zero, `.invalidValue` for a key with NUL.
    func json() throws -> StorageValue {
        let steps = try map { step in
            switch step {
            case .key(let key):
                _ = try StorageValue(storing: key)
                return "\"\(JSONString.encoded(key))\""
            case .index(let index):
                if index < 0 {
                    throw DBClientError(
                        .invalidRequest,
                        "A position in a list must not be negative; got \(index)."
                    )
                }
                return String(index)
            }
        }
        return .text("[\(steps.joined(separator: ","))]")
    }
}
