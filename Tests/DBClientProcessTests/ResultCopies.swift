import DBClientCore
import StoreEntry

/// Copies of results that are made of the positions that were told.
actor ResultCopies {
    private(set) var entries: [Int: [Entry]] = [:]
    private(set) var mismatches = 0
    private(set) var failure: DBClientError?

    func fail(_ error: DBClientError) { failure = error }

    func take(_ change: Change<Entry>, ofRequest index: Int) {
        switch change {
        case .initial(let objects): entries[index] = Array(objects)
        case .update(let changes):
            var copy = entries[index] ?? []
            if Array(changes.previous) != copy { mismatches += 1 }
            changes.apply(to: &copy)
            if Array(changes.objects) != copy { mismatches += 1 }
            entries[index] = copy
        }
    }
}
