/// Related values that were loaded together, each once, for all that hold them.
///
/// A slot of a row on its way to a model names them by address, so the reader of a flat row knows
/// nothing of them and costs the same.
protocol LoadedModels: AnyObject {
    /// Whether the value with the key at a position was there.
    func isThere(_ position: Int) -> Bool
    /// What the value with the key at a position is made of; nil when it was not there or nobody asked.
    func content(at position: Int) -> ValueContent?
    /// Returns the place of lists of the values, given by the positions of their keys.
    func makeLists(_ lists: PositionLists) -> AnyObject
}

/// The values of one model by the positions of their keys.
@usableFromInline
final class Loaded<Model: Stored>: LoadedModels {
    @usableFromInline let models: [Model]
    /// The model of each key, or -1.
    @usableFromInline let places: [Int32]
    /// What each model is made of; empty when nobody asked.
    private let contents: [ValueContent]

    init(_ models: [Model], places: [Int32], contents: [ValueContent] = []) {
        self.models = models
        self.places = places
        self.contents = contents
    }

    func isThere(_ position: Int) -> Bool { places[position] >= 0 }

    func content(at position: Int) -> ValueContent? {
        isThere(position) && !contents.isEmpty ? contents[Int(places[position])] : nil
    }

    func makeLists(_ lists: PositionLists) -> AnyObject { LoadedLists(self, lists) }
}

/// For each owner the positions of what it holds.
@usableFromInline
struct PositionLists {
    /// Where each owner's list begins in `positions`.
    @usableFromInline var starts: [Int32]
    /// Where it ends.
    @usableFromInline var ends: [Int32]
    /// The positions of the keys that are held.
    @usableFromInline var positions: [Int32] = []

    /// Empty lists of so many owners.
    init(owners: Int) {
        starts = [Int32](repeating: 0, count: owners)
        ends = starts
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
        return [Model](unsafeUninitializedCapacity: count) { buffer, initialized in
            for index in 0..<count {
                let place = values.places[Int(lists.positions[start + index])]
                buffer.initializeElement(at: index, to: values.models[Int(place)])
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
    /// No stored integer has a length, so nothing in a file is taken for one.
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
