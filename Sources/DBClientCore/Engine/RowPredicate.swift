/// A condition made ready to be asked of many rows: a flat list of nodes over slots, no enum tree, no
/// allocation and no reference counting for a row.
///
/// Slots hold what their fields' types say; an engine checks that when it fills them.
public final class RowPredicate {
    @usableFromInline let nodes: UnsafeMutablePointer<Node>
    @usableFromInline let nodeCount: Int
    /// Whether every row fulfils the condition.
    public let isAlwaysTrue: Bool
    /// The fields that the condition looks at, ascending.
    public let columns: [Int]
    private let constants: RowBuffer
    private let lists: [UnsafeMutableBufferPointer<Slot>]
    /// The conditions on several columns together, by the `column` of their nodes.
    @usableFromInline let keySets: [RowKeySet]

    /// One node of the condition, before its operands.
    @usableFromInline
    struct Node {
        @usableFromInline var kind: Kind
        @usableFromInline var comparison: Comparison
        @usableFromInline var ignoresCase: Bool
        @usableFromInline var column: Int
        /// The position after the node's last operand.
        @usableFromInline var end: Int
        @usableFromInline var constant: Slot
        @usableFromInline var list: UnsafeMutableBufferPointer<Slot>

        init(_ kind: Kind, column: Int = 0) {
            self.kind = kind
            self.comparison = .equal
            self.ignoresCase = false
            self.column = column
            self.end = 0
            self.constant = .null
            self.list = UnsafeMutableBufferPointer(start: nil, count: 0)
        }
    }

    @usableFromInline
    enum Kind: UInt8 {
        case never, always, not, all, any
        case compareInteger, compareReal, compareBytes, compareFolded, compareNatural
        /// The column of the other field is the constant.
        case compareFields
        case isIn, areIn, isNil
        case prefix, suffix, contains, wildcard, element, elementCount
    }

    /// Prepares a condition on the rows of an entity.
    ///
    /// What it says of related rows must have been resolved: no row fulfils what was not.
    public init(_ condition: RowCondition, of entity: EntitySchema) {
        var builder = Builder(constants: RowBuffer(entity))
        builder.add(condition)
        nodeCount = builder.nodes.count
        nodes = .allocate(capacity: nodeCount)
        nodes.initialize(from: builder.nodes, count: nodeCount)
        isAlwaysTrue = builder.nodes[0].kind == .always
        columns = builder.columns.sorted()
        constants = builder.constants
        lists = builder.lists
        keySets = builder.keySets
    }

    deinit {
        nodes.deallocate()
        for list in lists { list.deallocate() }
    }

    /// Returns whether a row fulfils the condition.
    @inlinable
    @inline(__always)
    public func matches<Row: SlotSource>(_ row: Row) -> Bool {
        isAlwaysTrue || evaluate(0, row)
    }

    @inlinable
    func evaluate<Row: SlotSource>(_ index: Int, _ row: Row) -> Bool {
        let node = nodes + index
        switch node.pointee.kind {
        case .never: return false
        case .always: return true
        case .not: return !evaluate(index + 1, row)
        case .all:
            var operand = index + 1
            while operand < node.pointee.end {
                if !evaluate(operand, row) { return false }
                operand = nodes[operand].end
            }
            return true
        case .any:
            var operand = index + 1
            while operand < node.pointee.end {
                if evaluate(operand, row) { return true }
                operand = nodes[operand].end
            }
            return false
        case .compareInteger:
            let slot = row.slot(node.pointee.column)
            let order =
                slot.integer < node.pointee.constant.integer
                ? -1 : slot.integer == node.pointee.constant.integer ? 0 : 1
            return node.pointee.holds(for: slot, order)
        case .compareReal:
            let slot = row.slot(node.pointee.column)
            let order =
                slot.real < node.pointee.constant.real
                ? -1 : slot.real == node.pointee.constant.real ? 0 : 1
            return node.pointee.holds(for: slot, order)
        case .compareFields:
            let other = Int(node.pointee.constant.integer)
            return node.pointee.comparison.holds(row.slot(node.pointee.column), row.slot(other))
        case .areIn:
            let set = keySets[node.pointee.column]
            return set.contains(set.columns.map { StorageValue(row.slot($0)) })
        default:
            return node.pointee.evaluateBytes(row.slot(node.pointee.column))
        }
    }
}

/// Keys of several columns to be found among.
@usableFromInline
struct RowKeySet {
    @usableFromInline let columns: [Int]
    private let keys: Set<[StorageValue]>

    init(_ columns: [Int], _ keys: [[StorageValue]]) {
        self.columns = columns
        self.keys = Set(keys)
    }

    @usableFromInline
    func contains(_ key: [StorageValue]) -> Bool { keys.contains(key) }
}

/// A row whose fields can be looked at one by one.
public protocol SlotSource {
    /// Returns a field of the row, which borrows the row's bytes.
    func slot(_ column: Int) -> Slot
}

extension RowPredicate.Node {
    @inlinable
    @inline(__always)
    func holds(for slot: Slot, _ order: Int) -> Bool {
        if slot.isNull { return comparison == .notEqual }
        switch comparison {
        case .equal: return order == 0
        case .notEqual: return order != 0
        case .less: return order < 0
        case .lessOrEqual: return order <= 0
        case .greater: return order > 0
        case .greaterOrEqual: return order >= 0
        }
    }

    @usableFromInline
    func evaluateBytes(_ slot: Slot) -> Bool {
        switch kind {
        case .compareBytes:
            if slot.isNull { return comparison == .notEqual }
            return holds(for: slot, compareBytes(slot.bytes, constant.bytes))
        case .compareFolded:
            if slot.isNull { return comparison == .notEqual }
            return holds(for: slot, TextMatching.compareFolded(slot.bytes, constant.bytes))
        case .compareNatural:
            if slot.isNull { return comparison == .notEqual }
            return holds(for: slot, NaturalOrder.compare(slot.bytes, constant.bytes))
        case .isIn: return !slot.isNull && isInList(slot)
        case .isNil: return slot.isNull
        case .prefix:
            return !slot.isNull && slot.length >= constant.length
                && TextMatching.isEqual(
                    slot.bytes.baseAddress,
                    constant.bytes,
                    ignoringCase: ignoresCase
                )
        case .suffix:
            guard !slot.isNull, slot.length >= constant.length else { return false }
            return TextMatching.isEqual(
                slot.bytes.baseAddress.map { $0 + Int(slot.length - constant.length) },
                constant.bytes,
                ignoringCase: ignoresCase
            )
        case .contains:
            return !slot.isNull
                && TextMatching.contains(slot.bytes, constant.bytes, ignoringCase: ignoresCase)
        case .wildcard:
            return !slot.isNull
                && TextMatching.matches(slot.bytes, constant.bytes, ignoringCase: ignoresCase)
        case .element: return !slot.isNull && JSONList.contains(constant.bytes, in: slot.bytes)
        case .elementCount:
            if slot.isNull { return comparison == .notEqual }
            let count = JSONList.count(in: slot.bytes)
            return comparison.holds(
                for: count < constant.integer ? -1 : count == constant.integer ? 0 : 1
            )
        default: return false
        }
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

/// Flattens the tree of a condition into an array of nodes.
private struct Builder {
    let constants: RowBuffer
    var nodes: [RowPredicate.Node] = []
    var columns = Set<Int>()
    var lists: [UnsafeMutableBufferPointer<Slot>] = []
    var keySets: [RowKeySet] = []

    mutating func add(_ condition: RowCondition) {
        let index = nodes.count
        switch condition {
        case .constant(let value): nodes.append(.init(value ? .always : .never))
        case .not(let operand):
            nodes.append(.init(.not))
            add(operand)
        case .all(let operands):
            nodes.append(.init(.all))
            for operand in operands { add(operand) }
        case .any(let operands):
            nodes.append(.init(.any))
            for operand in operands { add(operand) }
        case .compare(let column, let comparison, let value, let text):
            var node = leaf(.compareBytes, column, value)
            node.comparison = comparison
            switch node.constant.kind {
            case .integer: node.kind = .compareInteger
            case .real: node.kind = .compareReal
            case .text where text == .caseInsensitive: node.kind = .compareFolded
            case .text where text == .natural: node.kind = .compareNatural
            default: break
            }
            nodes.append(node)
        case .compareFields(let column, let comparison, let other):
            var node = leaf(.compareFields, column, .integer(Int64(other)))
            node.comparison = comparison
            columns.insert(other)
            nodes.append(node)
        case .isIn(let column, let values):
            var node = leaf(.isIn, column, .null)
            let list = UnsafeMutableBufferPointer<Slot>.allocate(capacity: values.count)
            _ = list.initialize(
                from: values.map { $0.slot(in: constants) }.sorted { Slot.compare($0, $1) < 0 }
            )
            lists.append(list)
            node.list = list
            nodes.append(node)
        case .areIn(let columns, let keys):
            nodes.append(.init(.areIn, column: keySets.count))
            keySets.append(RowKeySet(columns, keys))
            self.columns.formUnion(columns)
        case .related: nodes.append(.init(.never))
        case .isNil(let column): nodes.append(leaf(.isNil, column, .null))
        case .matches(let column, let pattern):
            let kind: RowPredicate.Kind =
                switch pattern.kind {
                case .prefix: .prefix
                case .suffix: .suffix
                case .contains: .contains
                case .wildcard: .wildcard
                }
            var node = leaf(kind, column, .text(pattern.text))
            node.ignoresCase = pattern.ignoresCase
            nodes.append(node)
        case .hasElement(let column, let json): nodes.append(leaf(.element, column, json))
        case .elementCount(let column, let comparison, let number):
            var node = leaf(.elementCount, column, .integer(Int64(number)))
            node.comparison = comparison
            nodes.append(node)
        }
        nodes[index].end = nodes.count
    }

    private mutating func leaf(
        _ kind: RowPredicate.Kind,
        _ column: Int,
        _ value: StorageValue
    ) -> RowPredicate.Node {
        columns.insert(column)
        var node = RowPredicate.Node(kind, column: column)
        node.constant = value.slot(in: constants)
        return node
    }
}
