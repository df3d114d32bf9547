import CLMDB

/// The identity of a file, whatever its name, as long as it is open.
struct FileID: Hashable {
    let device: UInt64
    let inode: UInt64

    init(_ file: clmdb_file) {
        device = file.device
        inode = file.inode
    }

    /// Creates the one of what is at a path, without following a link; nil where nothing is.
    init?(at path: String) {
        var file = clmdb_file()
        guard clmdb_file_at(path, &file) == 0 else { return nil }
        self.init(file)
    }
}
