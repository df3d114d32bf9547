import DBClientCore
package import Foundation

/// Where a store is, and of which engine.
package enum StoreAddress: Sendable, Equatable {
    /// The file of an object store.
    case objectStore(URL)
    /// A SQLite file.
    case sqlite(URL)
    /// A database of PostgreSQL, and the schema of its tables; nil for that of the role.
    case postgreSQL(String, schema: String?)

    /// Reads an address: the URL of a server, or a path, whose engine the file tells.
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - mayBeNew: Whether the store may be missing; then `object:` or `sqlite:` before the path says what it is to
    ///     be.
    /// - Throws: ``ToolError`` for a file that is missing or no store, and for a URL with a password.
    package init(_ text: String, mayBeNew: Bool = false) throws {
        if ["postgres://", "postgresql://"].contains(where: text.hasPrefix) {
            self = try Self.server(text)
            return
        }
        let prefix = ["object:", "sqlite:"].first(where: text.hasPrefix)
        let path = String(text.dropFirst(prefix?.count ?? 0))
        let url = URL(fileURLWithPath: path)
        guard let found = try Self.engine(ofFileAt: path, mayBeNew: mayBeNew && prefix != nil)
        else {
            guard mayBeNew else { throw ToolError("There is no file \(path).") }
            guard let prefix else {
                throw ToolError(
                    "There is no file \(path).",
                    hint: "Write object:\(path) or sqlite:\(path) to make a store."
                )
            }
            self = prefix == "object:" ? .objectStore(url) : .sqlite(url)
            return
        }
        if let prefix, prefix != found {
            let (is_, wanted) = (Self.words[found] ?? "", Self.words[prefix] ?? "")
            throw ToolError("The file must be \(wanted), as \(prefix) says; \(path) is \(is_).")
        }
        self = found == "object:" ? .objectStore(url) : .sqlite(url)
    }

    private static let words = ["object:": "an object store", "sqlite:": "a SQLite file"]

    /// Returns the prefix of the engine that made a file, by its first bytes; nil where there is no file, and where an
    /// empty one may be made a store.
    private static func engine(ofFileAt path: String, mayBeNew: Bool) throws -> String? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return nil
        }
        if isFolder.boolValue { throw ToolError("A store must be a file; \(path) is a folder.") }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw ToolError("The file \(path) must be readable.")
        }
        defer { try? file.close() }
        let start = try file.read(upToCount: 32) ?? Data()
        if let engine = engine(ofFileThatBegins: start) { return engine }
        // What a command that was killed has made and not filled.
        if start.isEmpty, mayBeNew { return nil }
        throw ToolError(
            start.isEmpty
                ? "The file \(path) is empty, and so no store."
                : "The file \(path) must be an object store or a SQLite file; it begins otherwise.",
            hint: start.isEmpty
                ? nil : "An encrypted SQLite file is opened by programs with SQLCipher alone."
        )
    }

    /// Returns the prefix of the engine that made a file, by its first 32 bytes; nil where it is no store.
    static func engine(ofFileThatBegins start: Data) -> String? {
        if start.starts(with: "SQLite format 3\0".utf8) { return "sqlite:" }
        // LMDB's number after the header of its first page, in the order of the machine that made the file.
        let isObjectStore =
            start.count >= 20 && start.dropFirst(16).starts(with: [0xDE, 0xC0, 0xEF, 0xBE])
        return isObjectStore ? "object:" : nil
    }

    private static func server(_ text: String) throws -> StoreAddress {
        guard var components = URLComponents(string: text) else {
            throw ToolError("The address of the server must be a URL.")
        }
        let items = components.queryItems ?? []
        guard components.password == nil, !items.contains(where: { $0.name == "password" }) else {
            throw ToolError(
                "A password must not be in the URL, which other users of the machine can see.",
                hint: "Put it into PGPASSWORD or the password file, or leave it out to be asked."
            )
        }
        let schema = items.last { $0.name == "schema" }?.value
        let others = items.filter { $0.name != "schema" }
        components.queryItems = others.isEmpty ? nil : others
        guard let url = components.string else {
            throw ToolError("The address of the server must be a URL.")
        }
        return .postgreSQL(url, schema: schema)
    }
}

extension StoreAddress: CustomStringConvertible {
    /// The address for a person.
    package var description: String {
        switch self {
        case .objectStore(let url), .sqlite(let url): url.path
        case .postgreSQL(let url, let schema): schema.map { "\(url) (\($0))" } ?? url
        }
    }

    /// The word for the engine.
    package var engine: String {
        switch self {
        case .objectStore: "object store"
        case .sqlite: "SQLite"
        case .postgreSQL: "PostgreSQL"
        }
    }
}
