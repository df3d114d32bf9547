import DBClientCore
import Synchronization

/// Counts the changes that this process made to the tables of one database, so that each connection
/// notices and forgets what it derived from them.
public final class SQLSchemaVersion: Sendable {
    private let value = Atomic(0)
    /// The models that are used over the connections.
    let usage = ModelUsage()

    /// Creates a counter that starts at zero.
    public init() {}

    /// The number of changes so far.
    var current: Int { value.load(ordering: .acquiring) }

    /// Counts a change of some table's shape.
    func advance() {
        value.wrappingAdd(1, ordering: .releasing)
    }
}
