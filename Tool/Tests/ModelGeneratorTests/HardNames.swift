import Foundation

/// Tables whose names, or those of their columns, mean something else in Swift, or nothing.
enum HardNames {
    private static let columns = [
        "self", "Type", "Protocol", "init", "class", "hash", "hashValue", "schema", "indexes",
        "PrimaryKey",
        "primary_key", "storage", "write", "inverse", "default", "in", "1st", "_", "--", "é", "日本",
        "😀",
        "a b", "a_b", "aB", "A-B", "description", "nil", "true", "Optional", "key", "x'y", "x\"y",
        "x\\y",
        "x\\(1)", "async", "some", "any", "_id", "ID2",
    ]
    private static let others = [
        "users", "user_", "Type", "String", "Self", "Reference", "class", "Task", "--", "1",
    ]

    private static func quoted(_ name: String) -> String {
        "\"\(name.replacingOccurrences(of: "\"", with: "\"\""))\""
    }

    static var tables: [String] {
        let names = columns.map { "\(quoted($0)) TEXT" }.joined(separator: ", ")
        return [
            "CREATE TABLE \"User\" (id INTEGER PRIMARY KEY, name TEXT)",
            "CREATE TABLE names (id INTEGER PRIMARY KEY, \(names))",
        ]
            + others.flatMap { name in
                [
                    """
                    CREATE TABLE \(quoted(name)) (
                        id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES "User"
                    )
                    """,
                    "CREATE INDEX \(quoted(name + "_user")) ON \(quoted(name)) (user_id)",
                ]
            }
    }

    static var rows: [String] {
        let values = columns.map { _ in "'v'" }.joined(separator: ", ")
        return [
            "INSERT INTO \"User\" VALUES (1, 'Ada')", "INSERT INTO names VALUES (1, \(values))",
        ]
            + others.map { "INSERT INTO \(quoted($0)) VALUES (1, 1)" }
    }
}
