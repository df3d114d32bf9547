import Foundation
import Synchronization

/// Whether this process came of a fork after a store was opened: the locks of an embedded engine's files are the
/// parent's then, and using them would damage the files.
package enum Fork {
    private static let hasForked = Atomic(false)
    private static let isWatching: Bool = {
        pthread_atfork(nil, nil) { Fork.hasForked.store(true, ordering: .relaxed) }
        return true
    }()

    /// Whether this process is such a child, which must leave what it inherited as it is: to close it would
    /// be to close the parent's.
    package static var isChild: Bool { hasForked.load(ordering: .relaxed) }

    /// Begins to notice forks; called before the first store is opened.
    package static func watch() { _ = isWatching }

    /// Checks that the process is not such a child.
    ///
    /// - Parameter store: What cannot be used there, as the beginning of a sentence.
    /// - Throws: `.unsupported`.
    package static func check(_ store: StaticString) throws {
        if isChild { throw refusal(store) }
    }

    private static func refusal(_ store: StaticString) -> DBClientError {
        DBClientError(
            .unsupported,
            "\(store) must not be used in a process that was forked after a store was opened.",
            hint: "Open the store in a new process, one that was started and not forked."
        )
    }
}
