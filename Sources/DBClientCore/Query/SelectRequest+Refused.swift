// What is written behind `select` by habit and must be said before it: the rows of a selection have no fields by name.
// A closure has as many parameters as the request has models.
// swift-format-ignore-file: AmbiguousTrailingClosureOverload

/// What a field would be in a closure behind `select`, where no field has a name; for messages of the compiler alone.
@dynamicMemberLookup
public struct UnnamedField {
    /// Unavailable in effect: it stands for a field that must be named before `select`.
    public subscript(dynamicMember name: String) -> UnnamedField { fatalError() }

    /// Unavailable in effect: it stands for a field that must be named before `select`.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember name: String) -> Value { fatalError() }
}

extension SelectRequest {
    /// Unavailable: it is said before `select`.
    @available(
        *,
        unavailable,
        message: "sort before 'select': 'sorted { … }.select { … }'"
    )
    public func sorted<Result>(_ body: (UnnamedField) -> Result) -> SelectRequest {
        fatalError()
    }

    /// Unavailable: it is said before `select`.
    @available(
        *,
        unavailable,
        message: "sort before 'select': 'sorted { … }.select { … }'"
    )
    public func sorted<Result>(_ body: (UnnamedField, UnnamedField) -> Result) -> SelectRequest {
        fatalError()
    }

    /// Unavailable: it is said before `select`.
    @available(
        *,
        unavailable,
        message: "sort before 'select': 'sorted { … }.select { … }'"
    )
    public func sorted<Result>(
        _ body: (UnnamedField, UnnamedField, UnnamedField) -> Result
    ) -> SelectRequest {
        fatalError()
    }

    /// Unavailable: it is said before `select`.
    @available(
        *,
        unavailable,
        message: "say 'where { … }.select { … }', or 'filter { … }' of what is selected"
    )
    public func `where`(_ body: (UnnamedField) -> Bool) -> SelectRequest {
        fatalError()
    }

    /// Unavailable: it is said before `select`.
    @available(
        *,
        unavailable,
        message: "say 'where { … }.select { … }', or 'filter { … }' of what is selected"
    )
    public func `where`(_ body: (UnnamedField, UnnamedField) -> Bool) -> SelectRequest {
        fatalError()
    }

    /// Unavailable: it is said before `select`.
    @available(
        *,
        unavailable,
        message: "say 'where { … }.select { … }', or 'filter { … }' of what is selected"
    )
    public func `where`(_ body: (UnnamedField, UnnamedField, UnnamedField) -> Bool) -> SelectRequest
    {
        fatalError()
    }
}
