import DBClientCore
import DBClientObjectStore
import Foundation
import Testing

/// A flat model with a plain, a unique and a composite index.
@Stored struct Note: Equatable {
    let id: Int
    @Indexed var title: String
    @Indexed var folder: Int?
    @Unique var code: String?
    var weight: Double

    static var indexes: [StoredIndex<Self>] { [StoredIndex(\.folder, \.weight)] }

    init(_ id: Int, _ title: String, folder: Int? = nil, code: String? = nil, weight: Double = 0) {
        self.id = id
        self.title = title
        self.folder = folder
        self.code = code
        self.weight = weight
    }
}

/// The same entity with another type for one field.
@Stored("Note") struct OtherNote {
    let id: Int
    var title: Int
}

/// A folder that is removed when its owner goes.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("DBClientObjectStoreTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var store: URL { url.appendingPathComponent("notes.store") }
}

/// Runs a call and returns the library's error that it throws.
func error(of body: () throws -> Void) -> DBClientError? {
    do {
        try body()
        return nil
    } catch {
        return error as? DBClientError
    }
}

/// Waits for something that happens soon.
func waitUntil(_ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(300)
    while try !condition() {
        try #require(ContinuousClock.now < end, "What was waited for did not happen.")
        usleep(2_000)
    }
}
