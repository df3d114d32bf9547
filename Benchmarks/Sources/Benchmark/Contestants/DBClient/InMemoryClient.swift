import DBClientCore
import DBClientInMemory
import Foundation

/// The library's in-memory store, which has nothing to be compared with but itself.
final class InMemoryClient: ClientContestant {
    let client: any DBClient

    init(folder: URL) {
        client = InMemoryDBClient()
    }
}
