import DBClientCore

/// Throws a failure when a condition is false.
func expect(
    _ condition: Bool,
    _ message: @autoclosure () -> String,
    file: String = #fileID,
    line: Int = #line
) throws {
    if !condition { throw ConformanceFailure(message(), file: file, line: line) }
}

/// Throws a failure when two values differ.
func expectEqual<Value: Equatable>(
    _ found: Value,
    _ expected: Value,
    _ message: @autoclosure () -> String = "",
    file: String = #fileID,
    line: Int = #line
) throws {
    if found == expected { return }
    throw ConformanceFailure(
        "\(message()) expected \(shortened(expected)), found \(shortened(found))",
        file: file,
        line: line
    )
}

/// Throws a failure when two models are not stored alike, field by field and byte by byte.
///
/// Swift's `==` would hold two strings to be equal that a store keeps apart.
func expectSame<Model: Stored>(
    _ found: Model?,
    _ expected: Model?,
    file: String = #fileID,
    line: Int = #line
) throws {
    try expectSame(
        found.map { [$0] } ?? [],
        expected.map { [$0] } ?? [],
        file: file,
        line: line
    )
}

/// Throws a failure when two lists of models are not stored alike.
func expectSame<Model: Stored>(
    _ found: [Model],
    _ expected: [Model],
    file: String = #fileID,
    line: Int = #line
) throws {
    try expectEqual(
        try found.map { try storedForm($0) },
        try expected.map { try storedForm($0) },
        file: file,
        line: line
    )
}

/// Throws a failure when two texts differ in a byte.
func expectSameText(
    _ found: [String],
    _ expected: [String],
    file: String = #fileID,
    line: Int = #line
) throws {
    try expectEqual(
        found.map { StorageValue.text($0) },
        expected.map { StorageValue.text($0) },
        file: file,
        line: line
    )
}

/// Throws a failure when a body does not throw a `DBClientError` with a code; returns the error.
@discardableResult
func expectError(
    _ code: DBClientError.Code,
    file: String = #fileID,
    line: Int = #line,
    _ body: () async throws -> Void
) async throws -> DBClientError {
    do {
        try await body()
    } catch {
        return try check(error, code, file: file, line: line)
    }
    throw ConformanceFailure("expected .\(code), nothing was thrown", file: file, line: line)
}

/// Throws a failure when a body does not throw a `DBClientError` with a code; for the inside of a
/// transaction.
@discardableResult
func expectErrorInside(
    _ code: DBClientError.Code,
    file: String = #fileID,
    line: Int = #line,
    _ body: () throws -> Void
) throws -> DBClientError {
    do {
        try body()
    } catch {
        return try check(error, code, file: file, line: line)
    }
    throw ConformanceFailure("expected .\(code), nothing was thrown", file: file, line: line)
}

private func check(
    _ error: any Error,
    _ code: DBClientError.Code,
    file: String,
    line: Int
) throws -> DBClientError {
    guard let error = error as? DBClientError else {
        throw ConformanceFailure(
            "expected .\(code), found \(type(of: error)): \(error)",
            file: file,
            line: line
        )
    }
    guard error.code == code else {
        throw ConformanceFailure(
            "expected .\(code), found \(error.debugDescription)",
            file: file,
            line: line
        )
    }
    return error
}

/// Returns what a model writes, one value for each field.
func storedForm<Model: Stored>(_ model: Model) throws -> [StorageValue] {
    let buffer = RowBuffer(Model.schema.entity)
    var row = try buffer.beginRow()
    try model.write(to: &row)
    try buffer.endRow(row)
    return buffer.columns.indices.map { StorageValue(buffer.batch[0, $0]) }
}

private func shortened(_ value: Any) -> String {
    let text = String(describing: value)
    return text.utf8.count > 500 ? "\(text.prefix(500))… (\(text.utf8.count) bytes)" : text
}
