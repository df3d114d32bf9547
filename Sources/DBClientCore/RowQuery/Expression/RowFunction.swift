/// A function in a ``RowExpression``.
///
/// What a function means is in the extensions of ``RowFunctionCall``, one for each kind of value. A SQL dialect
/// spells it in a template.
public enum RowFunction: UInt8, Hashable, Sendable, CaseIterable {
    /// The sum of numbers of one type.
    case add
    /// The first number less the others.
    case subtract
    /// The product of numbers of one type.
    case multiply
    /// The first number divided by the others; an integer toward zero.
    case divide
    /// What a division of integers leaves, with the sign of the dividend; nothing for a divisor of one or minus one.
    case remainder
    /// The number with the other sign.
    case negate
    /// The number without its sign, which the least integer does not have.
    case magnitude
    /// The least of several values of one type.
    case least
    /// The greatest of several values of one type.
    case greatest
    /// The number as one of another type: to the nearest double, or toward zero to an integer.
    case convert
    /// Texts put one after another, without a separator.
    case join
    /// The text with A to Z lowered.
    case lowercased
    /// The text with a to z raised.
    case uppercased
    /// The number of a text's Unicode scalars, of bytes of data, or of a list's elements.
    case count
    /// The year of a date in UTC, in the proleptic Gregorian calendar, where the year before 1 is 0.
    case year
    /// The month of a date in UTC, from 1.
    case month
    /// The day of a date in its month in UTC, from 1.
    case day
    /// The day of a date in its week in UTC: 1 for Monday to 7 for Sunday.
    case weekday
    /// The hour of a date in UTC, from 0.
    case hour
    /// The first moment of a date's day in UTC.
    case startOfDay
    /// The first moment of a date's week, which begins on Monday, in UTC.
    case startOfWeek
    /// The first moment of a date's month in UTC.
    case startOfMonth
    /// The text where case, accents and the width of letters do not count, as ``TextFolding`` has it.
    case folded
    /// Whether a text begins with another.
    case hasPrefix
    /// Whether a text ends with another.
    case hasSuffix
    /// Whether a text has another in it.
    case contains
    /// The part of a JSON text that a path leads to, if it is of the type of the value; the path is the JSON text of a list
    /// of keys and positions.
    case part
    /// Whether texts, the fields of a row, have what is searched for; a constant is the search, and the first operand. A
    /// text that is absent has no words.
    case search
    /// The score of a row among those that a search finds, of the same operands. It is the key of a sort of whole rows,
    /// and of use nowhere else: a reader computes the figures of all rows first.
    case rank
    /// The date whose parts in UTC are those that a clock of a time zone shows at a date; the second operand is a constant,
    /// the rules of the zone, which a request gets from its program.
    case localTime
    /// The first moment at which a clock of a time zone shows a local time, or a later one where that is skipped; the second
    /// operand is that of `localTime`.
    case firstMoment
    /// The quotient of two decimals, rounded to as many digits behind the point as a third one says, from zero where two
    /// numbers are as near.
    case quotient
}

extension RowFunction {
    /// The name, for logs and for SQL.
    public var name: String { String(describing: self) }

    /// The sign between operands; nil for a function that is written with its name.
    var sign: String? {
        switch self {
        case .add, .join: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .remainder: "%"
        default: nil
        }
    }

    /// Whether the library alone computes it, so that a database must call the library or leave it to it.
    public var isOfLibrary: Bool {
        switch self {
        case .folded, .part, .search, .rank: true
        default: false
        }
    }

    /// Whether the second operand is the rules of a time zone, which a dialect takes as constants of its own.
    public var isOfZone: Bool { self == .localTime || self == .firstMoment }

    /// Whether the first operand is a search, and the others are the fields that are looked at.
    var isOfSearch: Bool { self == .search || self == .rank }

    /// Whether a call has no value for some operands, given the type of the value.
    func canFail(returning type: FieldType) -> Bool {
        switch self {
        case .add, .subtract, .multiply, .divide, .remainder, .convert, .quotient: true
        case .negate, .magnitude: type != .decimal
        case .least, .greatest: type.slotKind == .real
        case .join, .lowercased, .uppercased, .count: false
        case .folded, .hasPrefix, .hasSuffix, .contains, .part, .search: false
        // It has none without the figures of all rows.
        case .rank: true
        case .year, .month, .day, .weekday, .hour, .startOfDay, .startOfWeek: false
        case .localTime, .firstMoment: false
        // The first month that dates are kept of is not kept from its beginning.
        case .startOfMonth: true
        }
    }
}

/// A function, and the types that say which one of its name is meant.
public struct RowFunctionCall: Hashable, Sendable {
    /// The function; ``type`` and ``operand`` say for which types it is meant.
    public let function: RowFunction
    /// The type of the result.
    public let type: FieldType
    /// The type that all operands have.
    public let operand: FieldType
    /// The number of operands, from one on.
    public let count: Int

    /// Creates a call of a function for one type of value, one type of operands and a number of these.
    public init(
        _ function: RowFunction,
        returning type: FieldType,
        of operand: FieldType,
        count: Int
    ) {
        self.function = function
        self.type = type
        self.operand = operand
        self.count = count
    }
}

extension RowFunctionCall {
    /// Computes the function of all of its operands, as many as the call has.
    ///
    /// - Parameters:
    ///   - operands: The operands.
    ///   - arena: Keeps the bytes of a text that is made.
    /// - Returns: The value; null where an operand is, but for what is searched.
    /// - Throws: `.invalidValue` where the type has no such value.
    public func value(
        of operands: some Collection<Slot>,
        _ arena: RowBuffer
    ) throws(DBClientError) -> Slot {
        guard let first = operands.first else { return .null }
        if function.isOfSearch {
            return try searched(SearchProgram.known(first.bytes), operands.dropFirst())
        }
        if count == 1 { return try value(first, arena) }
        if function == .quotient {
            let operands = Array(operands)
            return operands.count == 3
                ? try quotient(operands[0], operands[1], operands[2], arena) : .null
        }
        var result = first
        for operand in operands.dropFirst() { result = try value(result, operand, arena) }
        return result
    }

    /// Computes the function of its one operand.
    func value(_ operand: Slot, _ arena: RowBuffer) throws(DBClientError) -> Slot {
        operand.isNull ? .null : try present(operand, in: arena)
    }

    /// Computes the function of the value of the operands before and one more.
    func value(
        _ left: Slot,
        _ right: Slot,
        _ arena: RowBuffer
    ) throws(DBClientError) -> Slot {
        left.isNull || right.isNull ? .null : try present(left, right, in: arena)
    }

    private func present(_ operand: Slot, in arena: RowBuffer) throws(DBClientError) -> Slot {
        switch function {
        case .lowercased: .text(Self.mapped(operand.bytes, arena, asciiFolded))
        case .uppercased: .text(Self.mapped(operand.bytes, arena, Self.raised))
        case .folded: .text(Self.folded(operand.bytes, arena))
        case .count: .integer(Int64(countOfElements(operand)))
        case .convert where type == .decimal || self.operand == .decimal:
            try decimal(operand, arena)
        case .convert: try converted(operand)
        case .year, .month, .day, .weekday, .hour, .startOfDay, .startOfWeek, .startOfMonth:
            try datePart(operand.integer)
        default:
            switch operand.kind {
            case .integer: try integer(operand.integer)
            case .real: try real(operand.real)
            case .data where self.operand == .decimal: try decimal(operand, arena)
            default: operand
            }
        }
    }

    private func present(
        _ left: Slot,
        _ right: Slot,
        in arena: RowBuffer
    ) throws(DBClientError) -> Slot {
        switch function {
        case .join: return .text(try Self.joined(left.bytes, right.bytes, arena))
        case .part: return part(left.bytes, right.bytes, arena)
        case .localTime, .firstMoment:
            return value(of: left.integer, inZone: right.bytes).map(Slot.integer) ?? .null
        case .hasPrefix, .hasSuffix, .contains:
            return .integer(matches(left.bytes, right.bytes) ? 1 : 0)
        default: break
        }
        switch (left.kind, right.kind) {
        case (.integer, .integer): return try integer(left.integer, right.integer)
        case (.real, .real): return try real(left.real, right.real)
        case (.data, .data) where operand == .decimal: return try decimal(left, right, arena)
        default: return picked(left, right)
        }
    }

    /// Returns the least or the greatest of two values.
    func picked(_ left: Slot, _ right: Slot) -> Slot {
        let order = Slot.compare(left, right)
        return (function == .least ? order <= 0 : order >= 0) ? left : right
    }

    /// The error of a result that the type does not have.
    func failure(_ message: String) -> DBClientError {
        DBClientError(.invalidValue, "\(message) (in \(function.name))")
    }
}
