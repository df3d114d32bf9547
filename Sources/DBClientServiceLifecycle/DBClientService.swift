#if ServiceLifecycle
public import DBClientCore
import Dispatch
public import ServiceLifecycle

/// A client as a service of swift-service-lifecycle: open while its group runs, closed when that shuts down.
///
/// ```swift
/// let client = try await SQLDBClient.postgreSQL(url)
/// let group = ServiceGroup(services: [DBClientService(client), server], logger: logger)
/// try await group.run()
/// ```
///
/// A group shuts its services down from the last to the first, so name the client before those that use it.
public struct DBClientService: Service {
    private let client: any DBClient

    /// Creates the service of a client that is open.
    public init(_ client: any DBClient) {
        self.client = client
    }

    /// Waits until the group shuts down, or the task is cancelled, and closes the client.
    ///
    /// Calls of the client after that throw `.closed`; transactions under way end first.
    ///
    /// - Throws: What closing the client throws.
    public func run() async throws {
        // Whether it is asked to end or told to, there is nothing else to do.
        try? await gracefulShutdown()
        try await withCheckedThrowingContinuation { continuation in
            // Closing blocks until the last transaction has ended, which Swift's own threads must not.
            DispatchQueue.global().async {
                continuation.resume(with: Result { try client.close() })
            }
        }
    }
}
#endif
