import CLMDB
import DBClientCore

// Generated keys.
extension StoreWriter {
    /// Returns the next integer for a generated key and takes it.
    func takeNextKey(_ store: EntityStore) throws -> Int64 {
        let (next, overflow) = try greatestKey(store).addingReportingOverflow(1)
        if overflow {
            throw DBClientError(
                .full,
                "Every integer key was used.",
                entity: store.entity.name
            )
        }
        greatestKeys[store.number] = next
        return next
    }

    /// Makes sure that no generated key repeats one that rows have been given.
    func noteGivenKeys(_ rows: RowBuffer, _ store: EntityStore) throws {
        if let key = rows.greatestKey, try key > greatestKey(store) {
            greatestKeys[store.number] = key
        }
    }

    /// Runs a write of rows that may be refused, with which the keys go that it has taken.
    @inline(__always)
    func takingKeys(_ store: EntityStore, _ body: () throws -> Void) throws {
        let before = greatestKeys[store.number]
        do {
            try body()
        } catch {
            greatestKeys[store.number] = before
            throw error
        }
    }

    /// Makes sure that keys which are given where none is generated are seen before the next one is.
    @inline(__always)
    func forgetGreatestKey(_ store: EntityStore) {
        if !greatestKeys.isEmpty { greatestKeys[store.number] = nil }
    }

    /// The counter, or the last row's: a model whose keys are given leaves the counter alone.
    private func greatestKey(_ store: EntityStore) throws -> Int64 {
        if let greatest = greatestKeys[store.number] { return greatest }
        var greatest = try environment.catalog.greatestKey(ofEntity: store.number, transaction)
        var key = MDB_val()
        var value = MDB_val()
        if try cursor(store.table).move(MDB_LAST, &key, &value) {
            let last = Int64(bitPattern: key.mv_data.loadUnaligned(as: UInt64.self) ^ 1 << 63)
            greatest = max(greatest, last)
        }
        greatestKeys[store.number] = greatest
        return greatest
    }

    /// Returns the greatest integer key that there was, as far as it is known; zero where there was none above
    /// it, or keys are no integers.
    func knownGreatestKey(_ store: EntityStore) throws -> Int64 {
        store.hasIntegerKey ? try greatestKey(store) : 0
    }

    /// Sees to it that every generated key is above one.
    func keepGreatestKey(_ key: Int64, of store: EntityStore) throws {
        guard store.entity.keyGeneration == .generated, store.hasIntegerKey else { return }
        greatestKeys[store.number] = max(try greatestKey(store), key)
        try saveGreatestKey(store)
    }

    /// Writes the counters that a call moved.
    func saveGreatestKey(_ store: EntityStore) throws {
        if let greatest = greatestKeys[store.number] {
            try environment.catalog.setGreatestKey(greatest, of: store, transaction)
        }
    }
}
