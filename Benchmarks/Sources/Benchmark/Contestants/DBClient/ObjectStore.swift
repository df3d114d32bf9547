import DBClientCore
import DBClientObjectStore
import Foundation

/// The library's object store.
final class ObjectStore: ClientContestant {
    let client: any DBClient

    init(folder: URL) throws {
        client = try ObjectStoreDBClient(at: folder.appendingPathComponent("characters.store"))
    }
}
