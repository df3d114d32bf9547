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
    fileprivate let form: Form
    fileprivate let write: @Sendable (UnsafeMutableRawPointer, Slot) throws(SlotError) -> Void

    /// The types that are stored otherwise most often, which are written without a call for each value.
    fileprivate enum Form {
        case date
        case optionalDate
        case double
        case optionalDouble
        case other

        init(_ type: Any.Type) {
            self =
                switch ObjectIdentifier(type) {
                case ObjectIdentifier(Date.self): .date
                case ObjectIdentifier(Date?.self): .optionalDate
                case ObjectIdentifier(Double.self): .double
                case ObjectIdentifier(Double?.self): .optionalDouble
                default: .other
                }
        }
    }

    private init(
        mayDiffer: Bool,
        offset: Int?,
        form: Form = .other,
        write: @escaping @Sendable (UnsafeMutableRawPointer, Slot) throws(SlotError) -> Void
    ) {
        self.mayDiffer = mayDiffer
        self.offset = offset
        self.form = form
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

    /// Creates the restoration of the column of a property.
    init<Owner, Value: StorableValue>(_ keyPath: KeyPath<Owner, Value>) {
        self.init(
            mayDiffer: !Self.exactTypes.contains(ObjectIdentifier(Value.self)),
            offset: MemoryLayout<Owner>.offset(of: keyPath),
            form: Form(Value.self)
        ) { (place: UnsafeMutableRawPointer, slot: Slot) throws(SlotError) in
            place.assumingMemoryBound(to: Value.self).pointee = try Value(slot: slot)
        }
    }

    /// The same in a struct that holds the property's own at an offset; nil where it does not.
    func moved(by distance: Int?) -> ColumnRestoration {
        var moved: Int?
        if let offset, let distance { moved = offset + distance }
        return ColumnRestoration(mayDiffer: mayDiffer, offset: moved, form: form, write: write)
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

    /// Puts what the rows of a batch hold into the values that were written as them.
    func restore<Model: Stored>(
        _ models: UnsafeMutablePointer<Model>,
        from batch: RowBatch
    ) throws {
        let start = UnsafeMutableRawPointer(models)
        for (column, offset, restoration) in columns {
            for row in 0..<batch.count {
                let place = start + row * MemoryLayout<Model>.stride + offset
                let slot = batch[row, column]
                if restoration.form.write(slot, to: place) { continue }
                do throws(SlotError) {
                    try restoration.write(place, slot)
                } catch {
                    var reader = batch.reader(at: row)
                    for _ in 0...column { _ = try reader.take() }
                    throw reader.failure(error, slot)
                }
            }
        }
    }
}

extension ColumnRestoration.Form {
    /// Writes a value and returns whether it was of this form.
    @inline(__always)
    fileprivate func write(_ slot: Slot, to place: UnsafeMutableRawPointer) -> Bool {
        switch (self, slot.kind) {
        case (.date, .integer):
            place.assumingMemoryBound(to: Date.self).pointee = Date(
                microsecondsSince1970: slot.integer
            )
        case (.optionalDate, .integer):
            place.assumingMemoryBound(to: Date?.self).pointee = Date(
                microsecondsSince1970: slot.integer
            )
        case (.double, .real): place.assumingMemoryBound(to: Double.self).pointee = slot.real
        case (.optionalDouble, .real):
            place.assumingMemoryBound(to: Double?.self).pointee = slot.real
        default: return false
        }
        return true
    }
}
