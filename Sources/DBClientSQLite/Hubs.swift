import DBClientCore
import Foundation
import Synchronization

/// The hubs of the files that are open in this process: clients of one file observe each other.
enum SQLiteHubs {
    private struct FileID: Hashable {
        let device: Int
        let inode: UInt64
    }

    private struct WeakHub {
        weak var hub: ChangeHub?
    }

    private static let hubs = Mutex<[FileID: WeakHub]>([:])

    /// Returns the hub of a file that exists.
    static func hub(ofFileAt path: String) throws -> ChangeHub {
        let file: [FileAttributeKey: Any]
        do {
            file = try FileManager.default.attributesOfItem(atPath: path)
        } catch {
            throw DBClientError(
                .io,
                "The file vanished while it was opened.",
                underlying: error
            )
        }
        let id = FileID(
            device: (file[.systemNumber] as? NSNumber)?.intValue ?? 0,
            inode: (file[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
        )
        return hubs.withLock { hubs in
            if let hub = hubs[id]?.hub { return hub }
            hubs = hubs.filter { $0.value.hub != nil }
            let hub = ChangeHub()
            hubs[id] = WeakHub(hub: hub)
            return hub
        }
    }
}
