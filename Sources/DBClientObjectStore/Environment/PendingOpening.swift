import Dispatch
import Foundation

/// A store that a thread is opening, for which other threads wait that open the same one.
///
/// Opening takes a while where a key is derived from a passphrase or a file is verified, and other stores are opened
/// meanwhile. A store that is being made has no file yet, so that it is known by its folder and name as well. Names that
/// differ in case alone may be of one file.
final class PendingOpening: Sendable {
    private let file: FileID?
    private let folder: FileID?
    private let name: String
    /// Left when the store is open, or was found not to be opened.
    let ended = DispatchGroup()

    /// Begins to open what is at a path.
    init(_ path: String) {
        file = FileID(at: path)
        let folder = (path as NSString).deletingLastPathComponent
        // A link is followed.
        self.folder = FileID(at: (folder.isEmpty ? "." : folder) + "/.")
        name = (path as NSString).lastPathComponent.lowercased()
        ended.enter()
    }

    /// Whether another opening may be of the same file.
    func concerns(_ other: PendingOpening) -> Bool {
        if let file, file == other.file { return true }
        return folder == other.folder && name == other.name
    }
}
