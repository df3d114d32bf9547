import CLMDB
import DBClientCore
import Foundation

extension Environment {
    /// The system's id of this process.
    static let ownProcess = UInt64(UInt32(bitPattern: ProcessInfo.processInfo.processIdentifier))

    /// A place in LMDB's list of readers.
    struct ReaderTableEntry {
        /// The id of the process that has the place.
        var process: UInt64
        /// The number of the last commit that it sees; nil while it reads nothing.
        var commit: UInt64?
    }

    /// Returns the list of readers without those of processes that have ended; nil when that cannot be
    /// read.
    ///
    /// LMDB keeps it with a lock for each process that the system releases when the process ends, however
    /// it ends.
    func listedReaders() -> [ReaderTableEntry]? {
        var readers: [ReaderTableEntry] = []
        guard mdb_reader_check(handle, nil) == 0 else { return nil }
        let code = withUnsafeMutablePointer(to: &readers) { readers in
            mdb_reader_list(
                handle,
                { line, context in
                    guard let line, let reader = ReaderTableEntry(String(cString: line)) else {
                        return 0
                    }
                    context?.assumingMemoryBound(to: [ReaderTableEntry].self).pointee.append(reader)
                    return 0
                },
                readers
            )
        }
        return code < 0 ? nil : readers
    }

    /// Returns the processes that read the store; nil when the list cannot be read.
    func readingProcesses() -> Set<UInt64>? {
        // Every process that reads is in the list.
        guard let reader = try? takeReader() else { return nil }
        giveBack(reader)
        guard let processes = listedReaders().map({ Set($0.map(\.process)) }) else { return nil }
        return processes.contains(Self.ownProcess) ? processes : nil
    }
}

extension Environment.ReaderTableEntry {
    /// Takes the process, the thread and the number of the commit out of a line of the list; nil for the
    /// list's title.
    fileprivate init?(_ line: String) {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, let process = UInt32(words[0]), process > 0 else { return nil }
        self.init(process: UInt64(process), commit: UInt64(words[2]))
    }
}
