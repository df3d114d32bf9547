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
    /// The comparisons of computed values, by the `column` of their nodes.
    private let computations: [ComputedComparison]
    /// Why a computed value had none, for the first row for which that was so.
    @exclusivity(unchecked) private(set) var failure: DBClientError?

    /// One node of the condition, before its operands.
    @usableFromInline
    struct Node {
        @usableFromInline var kind: Kind
        @usableFromInline var column: Int
        /// The position after the node's last operand.
        @usableFromInline var end = 0
        /// What the field is asked; of two fields, the other's column is the constant.
        @usableFromInline var test: SlotTest

        init(_ kind: Kind, column: Int = 0, _ test: SlotTest = SlotTest()) {
            self.kind = kind
            self.column = column
            self.test = test
        }
    }

    @usableFromInline
    enum Kind: UInt8 {
        case never, always, not, all, any
        case compareInteger, compareReal, compareFields
        case isNil, areIn, field, computed
    }

    /// Prepares a condition on the rows of an entity.
    ///
    /// What it says of related rows must have been resolved: no row fulfils what was not.
    public init(_ condition: RowCondition, of entity: EntitySchema) {
        var builder = Builder(entity)
        builder.add(condition)
        nodeCount = builder.nodes.count
        nodes = .allocate(capacity: nodeCount)
        nodes.initialize(from: builder.nodes, count: nodeCount)
        isAlwaysTrue = builder.nodes[0].kind == .always
        columns = builder.columns.sorted()
        constants = builder.constants
        lists = builder.lists
        keySets = builder.keySets
        computations = builder.computations
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
            return node.pointee.test.holdsForInteger(row.slot(node.pointee.column))
        case .compareReal: return node.pointee.test.holdsForReal(row.slot(node.pointee.column))
        case .compareFields:
            let other = Int(node.pointee.test.constant.integer)
            return node.pointee.test.comparison.holds(
                row.slot(node.pointee.column),
                row.slot(other)
            )
        case .isNil: return row.slot(node.pointee.column).isNull
        case .areIn:
            let set = keySets[node.pointee.column]
            return set.contains(set.columns.map { StorageValue(row.slot($0)) })
        case .field: return node.pointee.test.holds(row.slot(node.pointee.column))
        case .computed: return computes(node.pointee.column, row)
        }
    }

    /// Returns whether computed values compare; once there was none, the answer means nothing.
    @usableFromInline
    @inline(never)
    func computes<Row: SlotSource>(_ index: Int, _ row: Row) -> Bool {
        if failure != nil { return false }
        do throws(DBClientError) {
            return try computations[index].holds(for: row)
        } catch {
            failure = error
            return false
        }
    }

    /// Throws where one of the rows that were asked about has no computed value: what was found is not the result.
    ///
    /// Call it once all rows were asked about.
    public func check() throws {
        if let failure { throw failure }
    }
}

/// Two expressions that are compared, made ready.
private struct ComputedComparison {
    let left: ExpressionProgram
    let comparison: Comparison
    let right: ExpressionProgram

    func holds<Row: SlotSource>(for row: Row) throws(DBClientError) -> Bool {
        comparison.holds(try left.value(for: row), try right.value(for: row))
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

/// Turns a condition into the nodes of a predicate, each operator before its operands.
private struct Builder {
    let constants: RowBuffer
    var nodes: [RowPredicate.Node] = []
    var columns = Set<Int>()
    var lists: [UnsafeMutableBufferPointer<Slot>] = []
    var keySets: [RowKeySet] = []
    var computations: [ComputedComparison] = []
    let entity: EntitySchema

    init(_ entity: EntitySchema) {
        self.entity = entity
        constants = RowBuffer(entity)
    }

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
        case .compare(let column, let comparison, let value, let order):
            columns.insert(column)
            let test = SlotTest(comparison, value, order, constants)
            let kind: RowPredicate.Kind =
                switch test.constant.kind {
                case .integer: .compareInteger
                case .real: .compareReal
                default: .field
                }
            nodes.append(.init(kind, column: column, test))
        case .compareFields(let column, let comparison, let other):
            columns.formUnion([column, other])
            let test = SlotTest(comparison, .integer(Int64(other)), .binary, constants)
            nodes.append(.init(.compareFields, column: column, test))
        case .computed(let left, let comparison, let right):
            nodes.append(.init(.computed, column: computations.count))
            for expression in [left, right] {
                expression.insertColumns(into: &columns, of: entity)
            }
            computations.append(
                ComputedComparison(
                    left: ExpressionProgram(left, of: entity),
                    comparison: comparison,
                    right: ExpressionProgram(right, of: entity)
                )
            )
        case .guarded(let guarding, let guarded):
            nodes.append(.init(.all))
            add(guarding)
            add(guarded)
        case .isNil(let column):
            columns.insert(column)
            nodes.append(.init(.isNil, column: column))
        case .field(let column, let test):
            columns.insert(column)
            nodes.append(.init(.field, column: column, SlotTest(test, constants, &lists)))
        case .areIn(let columns, let keys):
            nodes.append(.init(.areIn, column: keySets.count))
            keySets.append(RowKeySet(columns, keys))
            self.columns.formUnion(columns)
        case .related: nodes.append(.init(.never))
        }
        nodes[index].end = nodes.count
    }
}
