import CRawLMDB

extension RawLMDB {
    func fetch(publisher: Int) throws -> any FetchedRows {
        try read {
            try check(mdb_cursor_renew(reader, publisherCursor), "mdb_cursor_renew")
            try check(mdb_cursor_renew(reader, rowCursor), "mdb_cursor_renew")
            var key = readKey(publisher)
            var keys = MDB_val()
            var rows: [Character] = []
            var code = mdb_cursor_get(publisherCursor, &key, &keys, MDB_SET_KEY)
            guard code == MDB_SUCCESS else { return rows }
            var count = 0
            try check(mdb_cursor_count(publisherCursor, &count), "mdb_cursor_count")
            rows.reserveCapacity(count)
            code = mdb_cursor_get(publisherCursor, &key, &keys, MDB_GET_MULTIPLE)
            while code == MDB_SUCCESS {
                for offset in stride(from: 0, to: keys.mv_size, by: 8) {
                    // The stored form of a key in one database is its form in the other.
                    let bytes = keys.mv_data + offset
                    var lookup = MDB_val(mv_size: 8, mv_data: bytes)
                    var record = MDB_val()
                    try check(
                        mdb_cursor_get(rowCursor, &lookup, &record, MDB_SET),
                        "mdb_cursor_get"
                    )
                    rows.append(
                        LMDBRecord(record.mv_data).decode(key: LMDBInteger.decode(bytes))
                    )
                }
                code = mdb_cursor_get(publisherCursor, &key, &keys, MDB_NEXT_MULTIPLE)
            }
            if code != MDB_NOTFOUND { try check(code, "mdb_cursor_get") }
            return rows
        }
    }

    func strongest(over power: Double, limit: Int) throws -> any FetchedRows {
        try read {
            var best = StrongestRecords(limit: limit, over: power)
            try scan { key, record in
                if record.isActive { best.offer(power: record.power, key: key, record: record) }
                return true
            }
            return best.sorted().map { $0.record.decode(key: $0.key) }
        }
    }

    func names() throws -> [(Int, String)] {
        try read {
            var names: [(Int, String)] = []
            try scan { key, record in
                names.append((key, String(decoding: record.name, as: UTF8.self)))
                return true
            }
            return names
        }
    }

    func publishers() throws -> [PublisherTotal] {
        try read {
            // By publisher, those without one under zero, which is the key of none.
            var totals: [Int: (count: Int, sum: Int)] = [:]
            try scan { key, record in
                totals[record.publisherId ?? 0, default: (0, 0)].count += 1
                totals[record.publisherId ?? 0, default: (0, 0)].sum &+= key
                return true
            }
            return totals.sorted { $0.key < $1.key }.map {
                PublisherTotal(
                    publisher: $0.key == 0 ? nil : $0.key,
                    count: $0.value.count,
                    sum: $0.value.sum
                )
            }
        }
    }

    func countActive(over power: Double) throws -> Int {
        try read {
            var count = 0
            try scan { _, record in
                if record.isActive && record.power > power { count += 1 }
                return true
            }
            return count
        }
    }
}

/// The strongest records of those offered; what cannot be among them costs one comparison.
private struct StrongestRecords {
    struct Candidate {
        let power: Double
        let key: Int
        let record: LMDBRecord
    }

    private let limit: Int
    private var threshold: Double
    private var candidates: [Candidate] = []

    init(limit: Int, over power: Double) {
        self.limit = limit
        threshold = power
        candidates.reserveCapacity(limit * 4)
    }

    @inline(__always)
    mutating func offer(power: Double, key: Int, record: LMDBRecord) {
        guard power > threshold else { return }
        candidates.append(Candidate(power: power, key: key, record: record))
        if candidates.count == limit * 4 { cut() }
    }

    private mutating func cut() {
        candidates = sorted()
        // Rows come in key order, so a later row of the same power is never before an earlier one.
        threshold = candidates[limit - 1].power
    }

    func sorted() -> [Candidate] {
        let ordered = candidates.sorted {
            $0.power != $1.power ? $0.power > $1.power : $0.key < $1.key
        }
        return Array(ordered.prefix(limit))
    }
}
