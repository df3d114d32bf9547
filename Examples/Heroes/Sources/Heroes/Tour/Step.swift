import DBClientCore
import Foundation

/// One thing that the tour does with a store.
struct Step {
    let title: String
    let run: @Sendable (any DBClient) async throws -> Outcome

    init(_ title: String, _ run: @escaping @Sendable (any DBClient) async throws -> Outcome) {
        self.title = title
        self.run = run
    }

    /// What a step shows, and what it must find alike on every engine.
    struct Outcome {
        /// For a person: the first rows.
        let table: Table
        /// Every value of the result in its order, as bytes, so that equal means exactly equal.
        let evidence: Data

        init(_ table: Table, evidence: some Encodable) throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            self.table = table
            self.evidence = try encoder.encode(evidence)
        }
    }
}
