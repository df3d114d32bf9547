import DBClientCore

/// Every promise that each backend keeps alike.
///
/// A backend's tests run it case by case, so that each shows up by name:
///
/// ```swift
/// @Test(arguments: ConformanceSuite.cases)
/// func conforms(_ promise: ConformanceCase) async throws {
///     try await ConformanceSuite.run(promise, on: .file("mine") { try MyDBClient(at: $0) })
/// }
/// ```
public enum ConformanceSuite {
    /// Every case of the suite, grouped by concern.
    public static let cases: [ConformanceCase] = ConformanceConcern.allCases.flatMap(\.cases)

    /// How a case ended that did not fail.
    public enum Outcome: Sendable, Equatable {
        /// The backend has passed the case.
        case kept
        /// The backend excludes a capability that the case requires, and refuses its call.
        case excluded(reason: String)
    }

    /// Runs a case on a new store of a backend.
    ///
    /// - Parameters:
    ///   - promise: The case.
    ///   - backend: The backend.
    /// - Returns: Whether the promise was kept or does not apply.
    /// - Throws: `ConformanceFailure`, or what a call of the backend threw unexpectedly.
    @discardableResult
    public static func run(
        _ promise: ConformanceCase,
        on backend: ConformanceBackend
    ) async throws -> Outcome {
        let excluded = promise.requirements.filter { backend.exclusions[$0] != nil }
            .min { $0.rawValue < $1.rawValue }
        return try await withContext(of: backend) { context in
            guard let excluded else {
                try await promise.run(context)
                return .kept
            }
            if let refusedCall = excluded.refusedCall {
                try await expectError(.unsupported) { try refusedCall(context.client) }
            }
            return .excluded(reason: backend.exclusions[excluded] ?? "")
        }
    }

    /// Runs every case and throws one failure that lists all that failed.
    ///
    /// - Parameter backend: The backend.
    /// - Throws: `ConformanceFailure`.
    public static func run(on backend: ConformanceBackend) async throws {
        var failures: [String] = []
        for promise in cases {
            do {
                try await run(promise, on: backend)
            } catch {
                failures.append("\(promise): \(error)")
            }
        }
        guard failures.isEmpty else {
            throw ConformanceFailure(
                "\(backend) fails \(failures.count) of \(cases.count) cases:\n"
                    + failures.joined(separator: "\n")
            )
        }
    }

    private static func withContext<Value>(
        of backend: ConformanceBackend,
        _ body: (ConformanceContext) async throws -> Value
    ) async throws -> Value {
        let context = try await ConformanceContext(backend.makeStore())
        let value: Value
        do {
            value = try await body(context)
        } catch {
            try? context.end()
            throw error
        }
        try context.end()
        return value
    }
}
