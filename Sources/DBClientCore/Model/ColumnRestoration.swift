import Foundation

/// How what a column holds is put into a copy of the value that was written.
///
/// Where an engine keeps another value than it was given (a rounded date, a key that it made), what a
/// call returns is what is stored. To copy the value and to replace what may differ costs a tenth of
/// reading the whole row back, most of which is text.
struct ColumnRestoration: Sendable {
    /// Whether what is stored may be another value than what was given.
    let mayDiffer: Bool
    /// Where the property lies in its struct; nil where it does not lie there as it is.
    let offset: Int?
    fileprivate let write: @Sendable (UnsafeMutableRawPointer, Slot) throws(SlotError) -> Void

    private init(
        mayDiffer: Bool,
        offset: Int?,
        write: @escaping @Sendable (UnsafeMutableRawPointer, Slot) throws(SlotError) -> Void
    ) {
        self.mayDiffer = mayDiffer
        self.offset = offset
        self.write = write
    }

    /// The restoration of a column that no property of one value stands for.
    ///
    /// - Parameter mayDiffer: Whether what is stored may be another value than what was given.
    init(mayDiffer: Bool) {
        self.init(mayDiffer: mayDiffer, offset: nil) { _, _ in }
    }

    /// The restoration of a property that is kept as its raw value.
    init<Raw: StorableValue>(rawValues type: Raw.Type) {
        self.init(mayDiffer: !Self.exactTypes.contains(ObjectIdentifier(type)))
    }

    /// The restoration of a property.
    init<Owner, Value: StorableValue>(_ keyPath: KeyPath<Owner, Value>) {
        self.init(
            mayDiffer: !Self.exactTypes.contains(ObjectIdentifier(Value.self)),
            offset: MemoryLayout<Owner>.offset(of: keyPath)
        ) { (place: UnsafeMutableRawPointer, slot: Slot) throws(SlotError) in
            place.assumingMemoryBound(to: Value.self).pointee = try Value(slot: slot)
        }
    }

    /// The same in a struct that holds the property's own at an offset; nil where it does not.
    func moved(by distance: Int?) -> ColumnRestoration {
        var moved: Int?
        if let offset, let distance { moved = offset + distance }
        return ColumnRestoration(mayDiffer: mayDiffer, offset: moved, write: write)
    }

    /// The types whose values are stored as they are.
    private static let exactTypes: Set<ObjectIdentifier> = {
        func exact<Value: StorableValue>(_ type: Value.Type) -> [ObjectIdentifier] {
            [ObjectIdentifier(type), ObjectIdentifier(Value?.self)]
        }
        return Set(
            exact(Bool.self) + exact(String.self) + exact(UUID.self) + exact(Data.self)
                + exact(Int.self) + exact(Int8.self) + exact(Int16.self) + exact(Int32.self)
                + exact(Int64.self) + exact(UInt.self) + exact(UInt8.self) + exact(UInt16.self)
                + exact(UInt32.self) + exact(UInt64.self)
        )
    }()
}

/// The columns of a model that may be stored otherwise than they are given.
struct RestoredColumns: Sendable {
    private let columns: [(column: Int, offset: Int, restoration: ColumnRestoration)]

    /// Creates the columns of a model; nil where one of them cannot be put into a copy.
    init?(_ restorations: [ColumnRestoration], made: [Int]) {
        var columns: [(column: Int, offset: Int, restoration: ColumnRestoration)] = []
        for (column, restoration) in restorations.enumerated()
        where restoration.mayDiffer || made.contains(column) {
            guard let offset = restoration.offset else { return nil }
            columns.append((column, offset, restoration))
        }
        self.columns = columns
    }

    /// Puts what a row holds into the value that was written as it.
    func restore<Model: Stored>(
        _ model: UnsafeMutablePointer<Model>,
        from row: Int,
        of batch: RowBatch
    ) throws {
        for (column, offset, restoration) in columns {
            let slot = batch[row, column]
            do throws(SlotError) {
                try restoration.write(UnsafeMutableRawPointer(model) + offset, slot)
            } catch {
                var reader = batch.reader(at: row)
                for _ in 0...column { _ = try reader.take() }
                throw reader.failure(error, slot)
            }
        }
    }
}
