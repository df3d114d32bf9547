/// The bounds, which are included, of the value that a row must have in one field to concern a reader.
///
/// Every row that fulfils the reader's condition is within them; others may be, too.
struct RowBounds: Hashable, Sendable {
    let entity: EntitySchema
    let column: Int
    /// The least value that the query allows, itself included; nil where there is no bound.
    private(set) var lower: StorageValue?
    private(set) var upper: StorageValue?

    /// Returns the bounds of the first field that a query's condition confines from both sides, or, if there
    /// is none, from one; nil where it confines no field.
    init?(_ query: RowQuery) {
        var found: [RowBounds] = []
        Self.collect(query.condition, of: query.entity, into: &found)
        guard let bounds = found.first(where: \.isClosed) ?? found.first else { return nil }
        self = bounds
    }

    private init(
        _ entity: EntitySchema,
        _ column: Int,
        _ lower: StorageValue?,
        _ upper: StorageValue?
    ) {
        self.entity = entity
        self.column = column
        self.lower = lower
        self.upper = upper
    }

    private var isClosed: Bool { lower != nil && upper != nil }

    private static func collect(
        _ condition: RowCondition,
        of entity: EntitySchema,
        into found: inout [RowBounds]
    ) {
        switch condition {
        case .compare(let column, let comparison, let value, .binary):
            switch comparison {
            case .equal: confine(RowBounds(entity, column, value, value), in: &found)
            case .less, .lessOrEqual: confine(RowBounds(entity, column, nil, value), in: &found)
            case .greater, .greaterOrEqual:
                confine(RowBounds(entity, column, value, nil), in: &found)
            case .notEqual: break
            }
        case .field(let column, .isIn(let values)):
            let lower = values.min { $0.isBelow($1) }
            let upper = values.max { $0.isBelow($1) }
            if lower != nil { confine(RowBounds(entity, column, lower, upper), in: &found) }
        case .field(let column, .matches(let pattern))
        where pattern.kind == .prefix && !pattern.ignoresCase:
            confine(RowBounds(entity, column, .text(pattern.text), nil), in: &found)
        case .all(let operands):
            for operand in operands { collect(operand, of: entity, into: &found) }
        case .guarded(let guarding, _): collect(guarding, of: entity, into: &found)
        default: break
        }
    }

    /// Adds bounds, which hold as well as those that were found.
    private static func confine(_ bounds: RowBounds, in found: inout [RowBounds]) {
        guard let index = found.firstIndex(where: { $0.column == bounds.column }) else {
            return found.append(bounds)
        }
        if let lower = bounds.lower, found[index].lower?.isBelow(lower) ?? true {
            found[index].lower = lower
        }
        if let upper = bounds.upper, found[index].upper.map({ upper.isBelow($0) }) ?? true {
            found[index].upper = upper
        }
    }
}

extension StorageValue {
    /// Whether the value comes before another one of its field.
    fileprivate func isBelow(_ other: StorageValue) -> Bool {
        withSlot { slot in other.withSlot { Slot.compare(slot, $0) < 0 } }
    }
}

/// The rows of an entity that concern an observer, by the bounds of all observers.
final class RowFilter {
    private struct Bounds {
        let column: Int
        /// The least value that is wanted; null where there is no bound.
        let lower: Slot
        let upper: Slot
    }

    private let constants: RowBuffer
    private let bounds: UnsafeMutableBufferPointer<Bounds>

    /// With more bounds than this, looking at a row would cost more than copying it.
    static let limit = 32

    init(_ bounds: some Collection<RowBounds>, of entity: EntitySchema) {
        let constants = RowBuffer(entity)
        self.constants = constants
        self.bounds = .allocate(capacity: bounds.count)
        _ = self.bounds.initialize(
            from: bounds.map { bounds in
                Bounds(
                    column: bounds.column,
                    lower: bounds.lower?.slot(in: constants) ?? .null,
                    upper: bounds.upper?.slot(in: constants) ?? .null
                )
            }
        )
    }

    deinit {
        bounds.deallocate()
    }

    /// Returns whether a row, given by its slots, may concern an observer.
    func wants(_ row: UnsafePointer<Slot>) -> Bool {
        bounds.contains { bounds in
            let slot = row[bounds.column]
            return !slot.isNull
                && (bounds.lower.isNull || Slot.compare(slot, bounds.lower) >= 0)
                && (bounds.upper.isNull || Slot.compare(slot, bounds.upper) <= 0)
        }
    }
}
