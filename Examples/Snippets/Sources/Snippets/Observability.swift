import DBClientCore
import DBClientObservability
import DBClientTesting

func instrumented(_ store: any DBClient) async throws {
    // snippet: observability
    let client: any DBClient = InstrumentedDBClient(store, .logging(), .metrics(), .tracing())
    // end snippet
    try await client.insert(Character.ironMan)
}

func preview(of store: any DBClient) async throws {
    // snippet: preview
    let preview = store.preview()
    try await preview.delete(Character.where { $0.alignment == .villain })  // the store keeps them
    // end snippet
}
