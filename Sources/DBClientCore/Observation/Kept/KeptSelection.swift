/// Some fields of a query's rows, of one entity or joined, which rows that come and go change: confined to the hub once
/// they are read.
final class KeptSelection: KeptEntries, @unchecked Sendable {
    /// What is kept of one row.
    private final class Place {
        let identity: FieldsKey
        /// What was visited last; nil while nothing was.
        var shown: ResultEntry?
        var entry: ResultEntry?
        var isDirty = false

        init(_ identity: FieldsKey) {
            self.identity = identity
        }
    }

    private var fields: KeptRowFields
    private let make: (OrderKey, UnsafeBufferPointer<Slot>) -> ResultEntry
    private var places: [FieldsKey: Place] = [:]
    private var dirty: [Place] = []

    /// Reads the rows of a query that is kept.
    ///
    /// - Parameters:
    ///   - fields: What is selected: own fields, and what is computed from such.
    ///   - query: The query, of whose order each key is a field of the rows.
    ///   - reader: The snapshot that they are read in.
    ///   - make: Makes the entry of a row of its place in the order and its fields.
    /// - Throws: What reading throws.
    init(
        _ fields: [RowGrouping.Key],
        of query: RowQuery,
        in reader: any EngineReader,
        _ make: @escaping (OrderKey, UnsafeBufferPointer<Slot>) -> ResultEntry
    ) throws {
        self.fields = KeptRowFields(fields, of: query)
        self.make = make
        super.init()
        try self.fields.node.read(in: reader) { change($0, $1) }
    }

    override var hasChanged: Bool { !dirty.isEmpty }

    override func take(before: RowBatch?, after: RowBatch?, of input: Int) -> Bool {
        fields.node.take(before: before, after: after, of: input) { change($0, $1) }
    }

    /// Adds a row or takes it away.
    private func change(_ row: UnsafePointer<Slot>, _ weight: Int) {
        let (key, identity) = fields.place(of: row)
        let place: Place
        if let known = places[identity] {
            place = known
        } else {
            place = Place(identity)
            places[identity] = place
        }
        if weight > 0 {
            place.entry = entry(key, row)
        } else {
            place.entry = nil
        }
        if !place.isDirty {
            place.isDirty = true
            dirty.append(place)
        }
    }

    private func entry(_ key: OrderKey, _ row: UnsafePointer<Slot>) -> ResultEntry {
        do {
            return try fields.withFields(of: row) { make(key, $0) }
        } catch {
            return ValuesEntry(key, [], failure: error)
        }
    }

    override func visitChanges(_ visit: (ResultEntry?, ResultEntry?) -> Void) throws {
        for place in dirty {
            let (old, new) = (place.shown, place.entry)
            place.shown = new
            place.isDirty = false
            if new == nil { places[place.identity] = nil }
            if old != nil || new != nil { visit(old, new) }
        }
        dirty = []
    }
}
