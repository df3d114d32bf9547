/// The values of one entity that are held somewhere, by the positions of their keys.
///
/// A slot of a row on its way to a model names them by address, so the reader of a flat row knows
/// nothing of them and costs the same.
@usableFromInline
class LoadedEntity {
    let entity: EntitySchema
    @exclusivity(unchecked) final var keys: KeyTable
    /// The rows of the values; nil for values that are made as they are read.
    final let holding: OwnerRows?
    private var lookedUp = 0
    private var thereCount = 0
    /// The row of each key, or -1; unused where there are no rows.
    private var rowOfKey: [Int32] = []
    /// The position in ``keys`` of each row's key.
    private var keyOfRow: [Int32] = []
    /// How many levels are below each row, once that was found out.
    private var levels: [Int] = []
    private var rowsOfLevel: [[Int]] = []

    fileprivate init(_ entity: EntitySchema, keepsRows: Bool) {
        self.entity = entity
        keys = KeyTable(entity)
        holding = keepsRows ? OwnerRows(RowBuffer(entity)) : nil
    }

    /// Whether keys are left that were not looked up.
    final var hasUnknownKeys: Bool { lookedUp < keys.count }

    /// Whether the value of every key that was looked up was found.
    final var isComplete: Bool { thereCount == keys.count }

    /// Whether the value with the key at a position was found.
    final func isThere(_ position: Int) -> Bool {
        holding == nil ? place(of: position) >= 0 : rowOfKey[position] >= 0
    }

    /// Reads the values whose keys are new.
    final func lookUp(_ reader: any EngineReader) throws {
        let count = keys.count
        rowOfKey += repeatElement(-1, count: holding == nil ? 0 : count - rowOfKey.count)
        addPlaces(upTo: count)
        let keyColumns = KeyColumns(entity.primaryKey)
        let wanted = keys.keys.batch
        let batch = RowBatch(
            slots: wanted.slots + lookedUp * wanted.columnCount,
            columnCount: wanted.columnCount,
            count: count - lookedUp,
            entity: entity
        )
        try withExtendedLifetime(keys.keys) {
            try reader.lookUp(entity, keys: batch) { found in
                for row in 0..<found.count {
                    let key = keyColumns.key(of: found.slots + row * found.columnCount)
                    let position = keys.position(of: key)
                    if position != nil { thereCount += 1 }
                    if let holding {
                        guard let position else { continue }
                        rowOfKey[Int(position)] = Int32(holding.rows.count)
                        keyOfRow.append(position)
                        holding.rows.append(copying: found.slots + row * found.columnCount)
                    } else {
                        place(row, at: position)
                    }
                }
                if holding == nil { try decode(found) }
            }
        }
        lookedUp = count
    }

    /// The row of the value with the key at a position; nil when it was not found or has none.
    final func row(of position: Int) -> Int? {
        guard holding != nil, rowOfKey[position] >= 0 else { return nil }
        return Int(rowOfKey[position])
    }

    /// Notes how many levels are below each row.
    final func take(levels: ArraySlice<Int32>) {
        self.levels = levels.map { Int($0) }
        rowsOfLevel = Array(repeating: [], count: (self.levels.max() ?? -1) + 1)
        for (row, level) in self.levels.enumerated() { rowsOfLevel[level].append(row) }
    }

    /// Returns how many levels there are from the value with the key at a position on: none when it is
    /// not there.
    final func levels(from position: Int) -> Int {
        guard isThere(position) else { return 0 }
        return 1 + (row(of: position).map { levels[$0] } ?? 0)
    }

    /// Adds the values, with the levels below each, to a chain.
    final func addLevels(to chain: inout NestingDepthCheck) {
        guard let holding else { return }
        for row in levels.indices { chain.add(holding.rows, row, levels: levels[row]) }
    }

    /// Makes the models of the rows with a given number of levels below them.
    final func decode(level: Int) throws {
        guard let holding, level < rowsOfLevel.count else { return }
        let rows = rowsOfLevel[level]
        if rows.isEmpty { return }
        for (index, row) in rows.enumerated() { place(index, at: keyOfRow[row]) }
        try decode(rows, of: holding)
    }

    /// Returns the place of the model of a key, or -1.
    fileprivate func place(of position: Int) -> Int32 { -1 }
    /// Makes room for the places of some keys.
    fileprivate func addPlaces(upTo count: Int) {}
    /// Notes that a row of what is decoded next is the value of a key.
    fileprivate func place(_ row: Int, at position: Int32?) {}
    /// Makes the models of rows that hold nothing.
    fileprivate func decode(_ batch: RowBatch) throws {}
    /// Makes the models of rows that hold others.
    fileprivate func decode(_ rows: [Int], of holding: OwnerRows) throws {}
    /// The rows of which the value with the key at a position is made; nil when it was not found or not asked
    /// for.
    func content(at position: Int) -> ValueContent? { nil }
    /// Returns the place of lists of the values, given by the positions of their keys.
    func makeLists(_ lists: PositionLists) -> AnyObject { self }
}

/// The decoded values of one model, by the positions of their keys.
@usableFromInline
final class Loaded<Model: Stored>: LoadedEntity {
    @exclusivity(unchecked) @usableFromInline var models: [Model] = []
    /// The model of each key, or -1.
    @exclusivity(unchecked) @usableFromInline var places: [Int32] = []
    private let tellsContents: Bool
    /// The loops over the model, since an engine may have batches of one row.
    private let compiled = Model.compiled
    /// The rows of which each model is made; empty when not asked for.
    private var contents: [ValueContent] = []

    init(tellsContents: Bool) {
        self.tellsContents = tellsContents
        let entity = Model.schema.entity
        super.init(entity, keepsRows: tellsContents || !entity.isFlat)
    }

    fileprivate override func place(of position: Int) -> Int32 { places[position] }

    fileprivate override func addPlaces(upTo count: Int) {
        places += repeatElement(-1, count: count - places.count)
        models.reserveCapacity(count)
    }

    fileprivate override func place(_ row: Int, at position: Int32?) {
        if let position { places[Int(position)] = Int32(models.count + row) }
    }

    fileprivate override func decode(_ batch: RowBatch) throws {
        try compiled.decode(batch, &models)
    }

    fileprivate override func decode(_ rows: [Int], of holding: OwnerRows) throws {
        // Apart, since they may read models of their own kind.
        var made: [Model] = []
        made.reserveCapacity(rows.count)
        contents += try holding.decode(rows, tellsContents, appendingTo: &made)
        models += made
    }

    override func content(at position: Int) -> ValueContent? {
        isThere(position) && !contents.isEmpty ? contents[Int(places[position])] : nil
    }

    override func makeLists(_ lists: PositionLists) -> AnyObject { LoadedLists(self, lists) }
}

/// For each owner the positions of what it holds.
@usableFromInline
struct PositionLists {
    /// Where each owner's list begins in `positions`.
    @usableFromInline var starts: [Int32]
    /// Where each owner's list ends in `positions`.
    @usableFromInline var ends: [Int32]
    /// The positions of the keys that are held.
    @usableFromInline var positions: [Int32] = []

    /// Creates an empty list for each of some owners.
    init(owners: Int) {
        starts = [Int32](repeating: 0, count: owners)
        ends = starts
    }

    /// Makes room for some more owners and returns the first.
    mutating func grow(by owners: Int) -> Int {
        let first = starts.count
        starts += repeatElement(0, count: owners)
        ends += repeatElement(0, count: owners)
        return first
    }

    /// Appends to the list of an owner, whose elements come one after another.
    mutating func append(_ position: Int32, to owner: Int) {
        if starts[owner] == ends[owner] { starts[owner] = Int32(positions.count) }
        positions.append(position)
        ends[owner] = Int32(positions.count)
    }

    /// Returns the lists without some of their elements.
    func filtered(_ isKept: (Int32) -> Bool) -> PositionLists {
        var lists = PositionLists(owners: starts.count)
        for owner in starts.indices {
            for index in Int(starts[owner])..<Int(ends[owner]) where isKept(positions[index]) {
                lists.append(positions[index], to: owner)
            }
        }
        return lists
    }
}

/// The lists of values of a to-many relationship, one for each owner.
@usableFromInline
final class LoadedLists<Model: Stored> {
    @usableFromInline let values: Loaded<Model>
    @usableFromInline let lists: PositionLists

    init(_ values: Loaded<Model>, _ lists: PositionLists) {
        self.values = values
        self.lists = lists
    }

    /// Returns the values that an owner holds, in order.
    @inlinable
    func models(of owner: Int) -> [Model] {
        let start = Int(lists.starts[owner])
        let count = Int(lists.ends[owner]) - start
        if count == 0 { return [] }
        let places = values.places
        let models = values.models
        return [Model](unsafeUninitializedCapacity: count) { buffer, initialized in
            for index in 0..<count {
                let place = places[Int(lists.positions[start + index])]
                buffer.initializeElement(at: index, to: models[Int(place)])
                initialized += 1
            }
        }
    }
}

/// The lists of keys of a to-many relationship by reference, one for each owner.
@usableFromInline
final class LoadedKeys {
    /// The related key of each link, in the order of the owners.
    private let keys: RowBuffer
    private let lists: PositionLists

    init(_ keys: RowBuffer, _ lists: PositionLists) {
        self.keys = keys
        self.lists = lists
    }

    @usableFromInline
    func keys<Key: PrimaryKeyValue>(of owner: Int, as type: Key.Type) throws -> [Key] {
        defer { withExtendedLifetime(keys) {} }
        let batch = keys.batch
        return try (Int(lists.starts[owner])..<Int(lists.ends[owner])).map { index in
            var reader = batch.reader(at: Int(lists.positions[index]))
            return try Key(row: &reader)
        }
    }
}

extension Slot {
    /// Returns a slot that names a place in something loaded, which must outlive it.
    ///
    /// No stored integer has a length, so nothing in a file is mistaken for one.
    static func loaded(_ object: AnyObject, _ index: Int) -> Slot {
        Slot(
            kind: .integer,
            bits: UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())),
            length: UInt32(index) + 1
        )
    }

    /// The object that the slot names, if it names one.
    @usableFromInline
    var loadedObject: AnyObject? {
        guard kind == .integer, length > 0, let address = UnsafeRawPointer(bitPattern: UInt(bits))
        else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
    }
}
