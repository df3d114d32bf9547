import DBClientCore

/// The number of rows of a request, observed.
struct RowCount: Sendable {
    let client: any DBClient
    let request: DynamicRequest

    /// Posts the number and each later one, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - sink: Gets the numbers.
    ///   - counted: Is called once the first number was posted, or cannot be.
    func follow(into sink: EventSink, counted: () -> Void = {}) async {
        do {
            for try await count in client.observeCount(request) {
                sink.post(.count(entity: request.entity.name, count))
                counted()
            }
        } catch {
            sink.post(.failure(PageFailure(error)))
        }
        counted()
    }
}
