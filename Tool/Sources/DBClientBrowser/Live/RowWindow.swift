import DBClientCore

/// The rows that a page has of a table, observed: so many from a place on.
struct RowWindow: Sendable {
    let client: any DBClient
    let request: DynamicRequest

    /// Posts the rows and each later state of them, until the task is cancelled.
    func follow(into sink: EventSink) async {
        let sorts = request.sorts.map(\.field)
        do {
            for try await rows in client.observeRows(request) {
                sink.post(.rows(rows, sorts: sorts))
            }
        } catch {
            sink.post(.failure(PageFailure(error)))
        }
    }
}
