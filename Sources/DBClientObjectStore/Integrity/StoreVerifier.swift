import CLMDB
import DBClientCore

/// Checks every table of a store.
enum StoreVerifier {
    static func verify(_ path: String) throws {
        var walker = TreeWalker(try PageFile(path))
        let tables = try walker.tables()
        for (name, tree) in tables.sorted(by: { $0.key < $1.key }) {
            let holdsRecords = name.hasPrefix("d")
            try walker.walk(tree) { key, value in
                if name == Catalog.tableName, key.first == UInt8(ascii: "e") {
                    guard StoredEntity(coded: value) != nil else {
                        throw PageFile.damaged("The description of an entity is damaged.")
                    }
                }
                if name == Journal.tableName || name == WatcherTable.tableName {
                    guard CheckedReader.isSound(value) else {
                        throw PageFile.damaged("What processes tell each other is damaged.")
                    }
                }
                guard holdsRecords else { return }
                guard value.count >= RecordLayout.headerSize, let start = value.baseAddress,
                    RecordLayout.checksum(of: start, value.count)
                        == start.loadUnaligned(as: UInt32.self)
                else { throw PageFile.damaged("A record is damaged.") }
            }
        }
        for (name, tree) in tables where name.hasPrefix("i") {
            let number = name.dropFirst().prefix { $0 != "." }
            guard let table = tables["d\(number)"], table.entries == tree.entries else {
                throw PageFile.damaged("An index has another number of entries than its table.")
            }
        }
    }
}
