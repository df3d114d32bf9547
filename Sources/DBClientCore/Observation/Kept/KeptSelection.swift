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

    /// The columns that are selected, some of which may be computed.
    private let columns: [Int]
    private let derived: DerivedColumns
    private let orderings: [RowOrdering]
    private let primaryKey: [Int]
    private let make: (OrderKey, UnsafeBufferPointer<Slot>) -> ResultEntry
    private let node: RowNode
    private var places: [FieldsKey: Place] = [:]
    private var dirty: [Place] = []
    private var slots: [Slot] = []

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
        let derived = DerivedColumns(fields, of: query.entity)
        self.derived = derived
        columns = fields.map(derived.position(of:))
        self.make = make
        orderings = query.orderings
        primaryKey = query.entity.primaryKey
        var looked = Set(fields.filter(\.isOwnField).map(\.column)).union(derived.columns)
        looked.formUnion(primaryKey)
        for ordering in orderings { looked.insert(ordering.column) }
        node = .node(of: query, looking: looked)
        super.init()
        try node.read(in: reader) { change($0, $1) }
    }

    override var hasChanged: Bool { !dirty.isEmpty }

    override func take(before: RowBatch?, after: RowBatch?, of input: Int) -> Bool {
        node.take(before: before, after: after, of: input) { change($0, $1) }
    }

    /// Adds a row or takes it away.
    private func change(_ row: UnsafePointer<Slot>, _ weight: Int) {
        slots.removeAll(keepingCapacity: true)
        for ordering in orderings { slots.append(row[ordering.column]) }
        for column in primaryKey { slots.append(row[column]) }
        let key = slots.withUnsafeBufferPointer { OrderKey(of: $0, by: orderings) }
        let identity = FieldsKey(bytes: Array(key.identity))
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
            try derived.compute(row)
        } catch {
            return ValuesEntry(key, [], failure: error)
        }
        slots.removeAll(keepingCapacity: true)
        for column in columns { slots.append(derived.slot(column, of: row)) }
        return slots.withUnsafeBufferPointer { make(key, $0) }
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
