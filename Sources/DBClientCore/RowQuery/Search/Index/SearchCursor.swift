/// A position in the table of ordered bytes in which an engine keeps the index of a search, one entry to a key.
///
/// All that is in the table is told by this folder: an engine keeps bytes. ``SearchIndexKey`` has the keys.
package protocol SearchCursor: AnyObject {
    /// Goes to the first entry whose key is not less than some bytes, and returns whether there is one.
    func seek(_ key: [UInt8]) throws -> Bool
    /// Goes to the next entry, and returns whether there is one.
    func next() throws -> Bool
    /// Goes to the entry before, and returns whether there is one; where there is none, the cursor is nowhere.
    func previous() throws -> Bool

    /// The key of the entry, until the cursor moves or anything is written.
    var key: UnsafeRawBufferPointer { get }
    /// The value of the entry, until the cursor moves or anything is written.
    var value: UnsafeRawBufferPointer { get }

    /// Writes an entry, in the place of the one with its key; the cursor is then nowhere.
    func put(_ key: [UInt8], _ value: [UInt8]) throws
    /// Takes an entry out, if it is there; the cursor is then nowhere.
    func remove(_ key: [UInt8]) throws
}

extension SearchCursor {
    /// Returns the value of a key, if it is there.
    func find(_ key: [UInt8]) throws -> UnsafeRawBufferPointer? {
        guard try seek(key), self.key.elementsEqual(key) else { return nil }
        return value
    }
}

extension DBClientError {
    /// The error of an index that no program wrote so.
    static var searchIndexDamaged: DBClientError {
        DBClientError(.corrupt, "The index of a search is damaged.")
    }
}
