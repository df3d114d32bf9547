import Synchronization

/// The facts that a schema keeps of a property.
struct StoredProperty: Sendable {
    /// The position of its first column; nil for one that has no column of its own.
    var position: Int?
    /// The number of columns from ``position`` on: more than one for an embedded struct or a composite reference.
    var width = 1
    /// Its position among the relationships, if it is one.
    var relationship: Int?
}

/// The properties of a schema by their key paths.
///
/// To hash a key path takes longer than most of what is done with the property. A key path in the source
/// is one object, though, made when it is first reached, so those that were found are remembered by their
/// addresses. Look-ups take no lock: the lists only ever grow, at their heads.
final class PropertyTable: @unchecked Sendable {
    private struct Entry {
        /// Kept, so that no other key path gets its address.
        let keyPath: AnyKeyPath
        let property: StoredProperty
        let next: UnsafeMutablePointer<Entry>?
    }

    private typealias List = Atomic<UnsafeMutablePointer<Entry>?>

    /// The properties by their key paths, which may be shared between threads since they have no mutable state.
    private let properties: [AnyKeyPath: StoredProperty]
    /// Entries by their addresses, as many lists as a power of two.
    private let lists: UnsafeMutablePointer<List>
    private let listCount: Int
    /// How many key paths of each property are remembered.
    private let counts = Mutex<[Int]>([])
    private let descriptions = Mutex<[DescribedProperty]?>(nil)

    /// Key paths that a generic function makes are another object each time; more than this are not
    /// remembered of one property.
    private static let rememberedLimit = 16

    init(_ properties: [AnyKeyPath: StoredProperty]) {
        self.properties = properties
        var count = 16
        while count < properties.count * 2 { count *= 2 }
        listCount = count
        lists = .allocate(capacity: count)
        for index in 0..<count { (lists + index).initialize(to: List(nil)) }
    }

    deinit {
        for index in 0..<listCount {
            var next = lists[index].load(ordering: .acquiring)
            while let entry = next {
                next = entry.pointee.next
                entry.deinitialize(count: 1)
                entry.deallocate()
            }
        }
        lists.deinitialize(count: listCount)
        lists.deallocate()
    }

    /// Returns what is known of a property, or nil when it is not stored.
    func property(of keyPath: AnyKeyPath) -> StoredProperty? {
        let list = list(of: keyPath)
        var next = lists[list].load(ordering: .acquiring)
        while let entry = next {
            if entry.pointee.keyPath === keyPath { return entry.pointee.property }
            next = entry.pointee.next
        }
        guard let property = properties[keyPath] else { return nil }
        remember(keyPath, property, in: list)
        return property
    }

    /// The properties by how their key paths are described, made when they are first asked for.
    var described: [DescribedProperty] {
        descriptions.withLock { described in
            if let described { return described }
            let found = DescribedProperty.all(
                properties.map { keyPath, property in
                    (keyPath, property.position.map { $0..<$0 + property.width })
                }
            )
            described = found
            return found
        }
    }

    private func list(of keyPath: AnyKeyPath) -> Int {
        let address = UInt(bitPattern: Unmanaged.passUnretained(keyPath).toOpaque())
        // Objects begin at multiples of sixteen bytes.
        return Int(bitPattern: (address >> 4 ^ address >> 10) & UInt(bitPattern: listCount - 1))
    }

    private func remember(_ keyPath: AnyKeyPath, _ property: StoredProperty, in list: Int) {
        // To-many relationships have no column, so their numbers follow the columns'.
        let number = property.position ?? properties.count + (property.relationship ?? 0)
        counts.withLock { counts in
            while counts.count <= number { counts.append(0) }
            guard counts[number] < Self.rememberedLimit else { return }
            counts[number] += 1
            let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
            entry.initialize(
                to: Entry(
                    keyPath: keyPath,
                    property: property,
                    next: lists[list].load(ordering: .relaxed)
                )
            )
            lists[list].store(entry, ordering: .releasing)
        }
    }
}
