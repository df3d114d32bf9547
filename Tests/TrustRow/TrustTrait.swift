package import Testing

/// Has a test tell the scoreboard of each of its cases that has ended without an error, as one of a row's figure.
///
/// For rows that count tests. A row that counts something else calls `TrustRow.report`.
package struct TrustTrait: TestTrait, SuiteTrait, TestScoping {
    private let row: TrustRow
    private let part: String

    fileprivate init(_ row: String, _ part: String) {
        self.row = TrustRow(row)
        self.part = part
    }

    /// Whether a suite's trait is that of all its tests.
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let start = ContinuousClock.now
        try await function()
        if testCase != nil { row.report(1, of: part, since: start) }
    }
}

extension Trait where Self == TrustTrait {
    /// Has each case of a test count for a part of a row of the scoreboard.
    package static func counts(for row: String, part: String) -> TrustTrait {
        TrustTrait(row, part)
    }
}
