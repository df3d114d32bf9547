import DBClientCore
import Synchronization

/// The hubs of the files that are open in this process: clients of one file observe each other.
enum SQLiteHubs {
    private struct WeakHub {
        weak var hub: ChangeHub?
    }

    private static let hubs = Mutex<[SQLiteStoreFiles.ID: WeakHub]>([:])

    /// Returns the hub of a file.
    static func hub(of id: SQLiteStoreFiles.ID) -> ChangeHub {
        hubs.withLock { hubs in
            if let hub = hubs[id]?.hub { return hub }
            hubs = hubs.filter { $0.value.hub != nil }
            let hub = ChangeHub()
            hubs[id] = WeakHub(hub: hub)
            return hub
        }
    }
}
