import DBClientCore
public import Foundation

/// The models of a database, as files.
public struct GeneratedModels: Hashable, Sendable {
    /// The files, in the order of their names.
    public let files: [GeneratedFile]
    /// What is no model or no field, in the order of the tables.
    public let notices: [GenerationNotice]

    /// What writing files to a folder did.
    public struct Written: Hashable, Sendable {
        /// The names of the files that were made or changed.
        public var changed: [String] = []
        /// The names of the files that had the same content already.
        public var unchanged: [String] = []
        /// The names of files that an earlier run made and this one does not; they stay.
        public var stale: [String] = []
    }

    /// Writes the files to a folder, which is made where it is missing.
    ///
    /// A file that an earlier run wrote is replaced. Another program's file is never touched: where one has the name of a
    /// model's file, nothing is written.
    ///
    /// - Throws: `.invalidRequest` where a file of that name is not one of an earlier run; what `FileManager` throws.
    @discardableResult
    public func write(to folder: URL) throws -> Written {
        let manager = FileManager.default
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in files {
            let url = folder.appendingPathComponent(file.name)
            guard manager.fileExists(atPath: url.path), !Self.isOwn(url) else { continue }
            throw DBClientError(
                .invalidRequest,
                "The file \(file.name) must be one that `dbclient generate` wrote, or not be there.",
                hint: "Generate into another folder, or rename the file."
            )
        }
        var written = Written()
        for file in files {
            let url = folder.appendingPathComponent(file.name)
            let data = Data(file.text.utf8)
            if (try? Data(contentsOf: url)) == data {
                written.unchanged.append(file.name)
            } else {
                try data.write(to: url, options: .atomic)
                written.changed.append(file.name)
            }
        }
        let names = Set(files.map(\.name))
        written.stale = try manager.contentsOfDirectory(atPath: folder.path).sorted().filter {
            name in
            name.hasSuffix(".swift") && !names.contains(name)
                && Self.isOwn(folder.appendingPathComponent(name))
        }
        return written
    }

    private static func isOwn(_ url: URL) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? handle.close() }
        let mark = Data(SwiftWriter.mark.utf8)
        return (try? handle.read(upToCount: mark.count)) == mark
    }
}
