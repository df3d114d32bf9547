import Foundation

/// A new folder for stores that need not be kept.
struct TemporaryFolder {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("heroes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Returns the URL of a file in the folder.
    func url(_ name: String) -> URL {
        folder.appendingPathComponent(name)
    }

    /// Removes the folder and what is in it.
    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }
}
