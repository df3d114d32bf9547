import CLMDB
import DBClientCore
import Foundation

extension Environment {
    /// This process's id.
    static let ownProcess = UInt64(UInt32(bitPattern: ProcessInfo.processInfo.processIdentifier))

    /// Returns the processes that read the store; nil when that cannot be told.
    ///
    /// LMDB keeps a list of readers, with a lock for each process that the system lets go of when the
    /// process ends, however it ends.
    func readingProcesses() -> Set<UInt64>? {
        // Whoever reads is in the list.
        guard let reader = try? takeReader() else { return nil }
        giveBack(reader)
        var processes = Set<UInt64>()
        guard mdb_reader_check(handle, nil) == 0 else { return nil }
        _ = withUnsafeMutablePointer(to: &processes) { processes in
            mdb_reader_list(
                handle,
                { line, context in
                    // The id comes first; the list's title has none.
                    guard let line, let process = UInt32(exactly: strtol(line, nil, 10)),
                        process > 0
                    else { return 0 }
                    context?.assumingMemoryBound(to: Set<UInt64>.self).pointee
                        .insert(UInt64(process))
                    return 0
                },
                processes
            )
        }
        return processes.contains(Self.ownProcess) ? processes : nil
    }
}
