/// A test of one field, beyond the comparison with a value: what it asks, and what it means.
///
/// SQL dialects spell a test in their own words. What else is told of one is here, so a new one is a case
/// of this type, a spelling in each dialect, and what builds it from a ``Field``.
public enum FieldTest: Hashable, Sendable {
    /// The field is one of the values, none of which is null.
    case isIn([StorageValue])
    /// The field's text has the pattern's where the pattern looks for it.
    case matches(TextPattern)
    /// The field's list has an element with this canonical JSON text.
    case hasElement(json: StorageValue)
    /// The number of elements of the field's list, set or dictionary compares with a number.
    case elementCount(Comparison, Int)
}

extension FieldTest {
    /// Whether a row passes whose field is absent.
    public var holdsForNil: Bool {
        switch self {
        case .isIn, .matches, .hasElement: false
        case .elementCount(let comparison, _): comparison.holdsForNil
        }
    }

    /// Returns the test in words, for logs.
    func text(of field: String, showing show: (StorageValue) -> String) -> String {
        switch self {
        case .isIn(let values): "\(field) in \(values.list(show))"
        case .matches(let pattern): "\(field) \(pattern.kind) \(show(.text(pattern.text)))"
        case .hasElement(let json): "\(field) contains \(show(json))"
        case .elementCount(let comparison, let number):
            "count of \(field) \(comparison.sign) \(show(.integer(Int64(number))))"
        }
    }
}

extension [StorageValue] {
    /// So many values, or the values where they are shown.
    func list(_ show: (StorageValue) -> String) -> String {
        let shown = map(show)
        if shown.allSatisfy({ $0 == "?" }) { return "?(\(count))" }
        return "(" + shown.joined(separator: ", ") + ")"
    }
}

/// A test, or a comparison with a value, made ready to be asked of many slots: no enum tree, no allocation and
/// no reference counting for a slot.
@usableFromInline
struct SlotTest {
    private enum Operator: UInt8 {
        case bytes, folded, natural
        case isIn, prefix, suffix, contains, wildcard, element, elementCount
    }

    private var operation = Operator.bytes
    @usableFromInline var comparison = Comparison.equal
    private var ignoresCase = false
    /// Whether a row passes whose field is absent.
    @usableFromInline var holdsForNil = false
    /// What is compared or looked for.
    @usableFromInline var constant = Slot.null
    /// The values that `isIn` looks among, ascending.
    private var list = UnsafeMutableBufferPointer<Slot>(start: nil, count: 0)

    /// Creates a test that asks nothing.
    init() {}

    /// Prepares the comparison with a value.
    init(
        _ comparison: Comparison,
        _ value: StorageValue,
        _ order: TextOrder,
        _ constants: RowBuffer
    ) {
        self.comparison = comparison
        holdsForNil = comparison.holdsForNil
        constant = value.slot(in: constants)
        guard constant.kind == .text else { return }
        switch order {
        case .binary: break
        case .caseInsensitive: operation = .folded
        case .natural: operation = .natural
        }
    }

    /// Prepares a test.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - constants: Keeps the bytes of what is looked for.
    ///   - lists: Where to add a list, which its owner deallocates.
    init(
        _ test: FieldTest,
        _ constants: RowBuffer,
        _ lists: inout [UnsafeMutableBufferPointer<Slot>]
    ) {
        holdsForNil = test.holdsForNil
        switch test {
        case .isIn(let values):
            operation = .isIn
            list = .allocate(capacity: values.count)
            _ = list.initialize(
                from: values.map { $0.slot(in: constants) }.sorted { Slot.compare($0, $1) < 0 }
            )
            lists.append(list)
        case .matches(let pattern):
            switch pattern.kind {
            case .prefix: operation = .prefix
            case .suffix: operation = .suffix
            case .contains: operation = .contains
            case .wildcard: operation = .wildcard
            }
            constant = StorageValue.text(pattern.text).slot(in: constants)
            ignoresCase = pattern.ignoresCase
        case .hasElement(let json):
            operation = .element
            constant = json.slot(in: constants)
        case .elementCount(let comparison, let number):
            operation = .elementCount
            self.comparison = comparison
            constant = .integer(Int64(number))
        }
    }

    /// Returns whether a slot passes that is no number, or is looked for in a list.
    @usableFromInline
    func holds(_ slot: Slot) -> Bool {
        if slot.isNull { return holdsForNil }
        switch operation {
        case .bytes: return comparison.holds(for: compareBytes(slot.bytes, constant.bytes))
        case .folded:
            return comparison.holds(for: TextMatching.compareFolded(slot.bytes, constant.bytes))
        case .natural:
            return comparison.holds(for: NaturalOrder.compare(slot.bytes, constant.bytes))
        case .isIn: return isInList(slot)
        case .prefix:
            return slot.length >= constant.length
                && TextMatching.isEqual(
                    slot.bytes.baseAddress,
                    constant.bytes,
                    ignoringCase: ignoresCase
                )
        case .suffix:
            return slot.length >= constant.length
                && TextMatching.isEqual(
                    slot.bytes.baseAddress.map { $0 + Int(slot.length - constant.length) },
                    constant.bytes,
                    ignoringCase: ignoresCase
                )
        case .contains:
            return TextMatching.contains(slot.bytes, constant.bytes, ignoringCase: ignoresCase)
        case .wildcard:
            return TextMatching.matches(slot.bytes, constant.bytes, ignoringCase: ignoresCase)
        case .element: return JSONList.contains(constant.bytes, in: slot.bytes)
        case .elementCount:
            return comparison.holds(Int64(JSONList.count(in: slot.bytes)), constant.integer)
        }
    }

    /// Returns whether an integer, or an absent one, passes.
    @inlinable
    @inline(__always)
    func holdsForInteger(_ slot: Slot) -> Bool {
        if slot.isNull { return holdsForNil }
        return comparison.holds(slot.integer, constant.integer)
    }

    /// Returns whether a real, or an absent one, passes.
    @inlinable
    @inline(__always)
    func holdsForReal(_ slot: Slot) -> Bool {
        if slot.isNull { return holdsForNil }
        return comparison.holds(slot.real, constant.real)
    }

    /// Searches the list, which is sorted.
    private func isInList(_ slot: Slot) -> Bool {
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            let order = Slot.compare(slot, list[middle])
            if order == 0 { return true }
            if order < 0 { high = middle } else { low = middle + 1 }
        }
        return false
    }
}
