#if canImport(SwiftUI)
public import DBClientCore
public import SwiftUI

extension EnvironmentValues {
    /// The client that ``Live`` observes; nil where no view above has set one.
    public var dbClient: (any DBClient)? {
        get { self[ClientKey.self] }
        set { self[ClientKey.self] = newValue }
    }

    private struct ClientKey: EnvironmentKey {
        static var defaultValue: (any DBClient)? { nil }
    }
}

extension View {
    /// Gives the views inside a client, whose store their ``Live`` properties show.
    ///
    /// In a preview this is a client in memory with sample values, or `preview()` of the app's store, both of the
    /// module `DBClientInMemory`.
    public func dbClient(_ client: any DBClient) -> some View {
        environment(\.dbClient, client)
    }
}
#endif
