import DBClientCore
import Foundation
import Synchronization

/// Whether this process came of a fork after a store was opened: LMDB's locks are the parent's then, and
/// using them would damage the file.
enum Fork {
    private static let hasForked = Atomic(false)
    private static let isWatching: Bool = {
        pthread_atfork(nil, nil) { Fork.hasForked.store(true, ordering: .relaxed) }
        return true
    }()

    /// Whether this process is such a child, which must leave what it inherited as it is: to close it would
    /// be to close the parent's.
    @inline(__always)
    static var isChild: Bool { hasForked.load(ordering: .relaxed) }

    /// Begins to notice forks; called before the first store is opened.
    static func watch() { _ = isWatching }

    /// Throws in a child.
    @inline(__always)
    static func check() throws {
        if isChild {
            throw DBClientError(
                .unsupported,
                "An object store cannot be used in a process that was forked after a store was opened.",
                hint: "Open the store in a process that was started anew."
            )
        }
    }
}
