import DBClientCore

/// Returns a case that needs no more than a client of an empty store.
func promise(
    _ concern: ConformanceConcern,
    _ name: String,
    requires requirements: Set<Capability> = [],
    run: @escaping @Sendable (any DBClient) async throws -> Void
) -> ConformanceCase {
    ConformanceCase(concern, name, requires: requirements) { try await run($0.client) }
}

/// Returns a case for each style of calling.
func promises(
    _ concern: ConformanceConcern,
    _ name: String,
    requires requirements: Set<Capability> = [],
    run: @escaping @Sendable (Calls) async throws -> Void
) -> [ConformanceCase] {
    CallStyle.allCases.map { style in
        ConformanceCase(concern, "\(name) (\(style.rawValue))", requires: requirements) {
            try await run(Calls(client: $0.client, style: style))
        }
    }
}

/// The way in which a case makes its calls: on the client, on its blocking view, or within one transaction.
enum CallStyle: String, CaseIterable, Sendable {
    case async
    case blocking
    case transaction
}
