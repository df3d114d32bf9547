import DBClientCore

/// A query taken apart: its shape, a few bytes to look a statement up by, and its constants.
///
/// One walk makes both; `QueryRenderer` walks alike, so the parameters fit its
/// placeholders.
struct QueryShape {
    /// The shape: equal bytes render equal SQL.
    var key = ShapeKey()
    /// The constants in the order of the placeholders.
    var parameters: [Slot] = []
    /// The other entities that the condition reaches.
    private(set) var relatedEntities: [EntitySchema] = []
    /// How many conditions are inside one another.
    private(set) var nesting = 0
    private var level = 0
    /// Holds the bytes of the constants until they are bound.
    private var arena: RowBuffer?

    /// Takes a verb and a query apart, in place of what was taken apart before.
    mutating func read(
        _ verb: QueryVerb,
        _ query: RowQuery,
        setting assignments: RowAssignments? = nil,
        _ dialect: any SQLDialect
    ) throws {
        let arena = self.arena ?? RowBuffer(query.entity, columns: [])
        arena.removeAll()
        self.arena = arena
        parameters.removeAll(keepingCapacity: true)
        relatedEntities.removeAll(keepingCapacity: true)
        nesting = 0
        level = 0
        key.begin(query.entity)
        switch verb {
        case .scan: key.add(.scan)
        case .select(let columns):
            key.add(.select)
            key.add(columns.count)
            for column in columns { key.add(column) }
        case .group(let rendered): add(rendered)
        case .count: key.add(.count)
        case .aggregate(let function, let column, let path):
            key.add(.aggregate)
            key.add(UInt8(truncatingIfNeeded: function.code))
            key.add(column)
            add(path)
        case .distinct(let column):
            key.add(.distinct)
            key.add(column)
        case .update(let columns):
            key.add(.update)
            key.add(columns.count)
            for column in columns {
                key.add(column)
                if let assignments { parameters.append(assignments.values[0, column]) }
            }
        case .delete: key.add(.delete)
        }
        if verb.canJoin {
            try addSource(query.condition, depth: 0, arena, dialect)
        } else {
            try add(query.condition, arena, dialect)
        }
        addWindow(of: query, verb)
        if case .group(let rendered) = verb, rendered.isFiltered {
            add(rendered.grouping.condition, arena)
        }
    }

    mutating func add(_ path: [RelatedRows]) {
        key.add(path.count)
        for hop in path {
            relatedEntities.append(hop.entity)
            key.add(hop.entity)
            for column in hop.matching { key.add(column) }
        }
    }

    private mutating func addWindow(of query: RowQuery, _ verb: QueryVerb) {
        let hasWindow = query.limit != nil || query.offset > 0
        if verb.isOrdered || hasWindow {
            for ordering in query.orderings {
                key.add(.ordering)
                key.add(ordering.column)
                key.add(
                    (ordering.isDescending ? 1 : 0) | (ordering.nilsFirst ? 2 : 0)
                        | ordering.text.rawValue << 2
                )
                add(ordering.path)
            }
        }
        if let limit = query.limit {
            key.add(.limit)
            parameters.append(.integer(Int64(limit)))
        }
        if query.offset > 0 {
            key.add(.offset)
            parameters.append(.integer(Int64(query.offset)))
        }
    }

    /// Takes a condition apart as a statement has it that joins what it can.
    private mutating func addSource(
        _ condition: RowCondition,
        depth: Int,
        _ arena: RowBuffer,
        _ dialect: any SQLDialect
    ) throws {
        if let rows = JoinedCondition.onlyJoin(condition, depth: depth, dialect) {
            try addJoin(rows, depth: depth, arena, dialect)
            key.add(.always)
            return
        }
        let parts = JoinedCondition(condition, depth: depth, dialect)
        for rows in parts.joins { try addJoin(rows, depth: depth, arena, dialect) }
        try add(parts.rest, arena, dialect)
    }

    private mutating func addJoin(
        _ rows: RelatedRows,
        depth: Int,
        _ arena: RowBuffer,
        _ dialect: any SQLDialect
    ) throws {
        key.add(.join)
        add(rows)
        level += 1
        try addSource(rows.condition, depth: depth + 1, arena, dialect)
        level -= 1
    }

    /// Takes apart which rows belong to a row.
    private mutating func add(_ rows: RelatedRows) {
        relatedEntities.append(rows.entity)
        key.add(rows.entity)
        key.add(rows.columns.count)
        for column in rows.columns { key.add(column) }
        for column in rows.matching { key.add(column) }
    }

    private mutating func add(
        _ condition: RowCondition,
        _ arena: RowBuffer,
        _ dialect: any SQLDialect
    ) throws {
        level += 1
        if level > nesting { nesting = level }
        defer { level -= 1 }
        switch condition {
        case .constant(let value): key.add(value ? .always : .never)
        case .compare(let column, let comparison, let value, let text):
            key.add(.compare)
            key.add(column)
            key.add(comparison.rawValue | text.rawValue << 4)
            parameters.append(value.slot(in: arena))
        case .compareFields(let column, let comparison, let other):
            key.add(.compareFields)
            key.add(column)
            key.add(comparison.rawValue)
            key.add(other)
        case .isIn(let column, let values):
            if values.isEmpty { return key.add(.never) }
            add(try dialect.form(ofMembers: values), column, arena)
        case .areIn(let columns, let keys):
            if keys.isEmpty { return key.add(.never) }
            key.add(.areIn)
            key.add(columns.count)
            for column in columns { key.add(column) }
            let form = try dialect.form(ofKeys: keys)
            key.add(Int(form.identifier))
            for constant in form.constants { parameters.append(constant.slot(in: arena)) }
        case .related(let rows):
            key.add(.related)
            add(rows)
            key.add(rows.count.map { $0.comparison.rawValue + 1 } ?? 0)
            key.add(rows.total.map { $0.comparison.rawValue + 1 } ?? 0)
            if let total = rows.total {
                key.add(total.function.code)
                key.add(total.column)
                add(total.path)
            }
            try add(rows.condition, arena, dialect)
            // The number comes after the subquery that it is compared with.
            if let count = rows.count { parameters.append(.integer(Int64(count.number))) }
            if let total = rows.total {
                for constant in total.constants(of: rows.entity, dialect) {
                    parameters.append(constant.slot(in: arena))
                }
            }
        case .isNil(let column):
            key.add(.isNil)
            key.add(column)
        case .matches(let column, let pattern):
            add(dialect.form(of: pattern), column, arena)
        case .hasElement(let column, let json):
            add(dialect.form(ofElement: json), column, arena)
        case .elementCount(let column, let comparison, let number):
            add(dialect.form(ofElementCount: comparison, number), column, arena)
        case .not(let operand):
            key.add(.not)
            try add(operand, arena, dialect)
        case .all(let operands):
            key.add(.all)
            key.add(operands.count)
            for operand in operands { try add(operand, arena, dialect) }
        case .any(let operands):
            key.add(.any)
            key.add(operands.count)
            for operand in operands { try add(operand, arena, dialect) }
        }
    }

    private mutating func add(_ form: SQLForm, _ column: Int, _ arena: RowBuffer) {
        key.add(.form)
        key.add(Int(form.identifier))
        key.add(column)
        for constant in form.constants { parameters.append(constant.slot(in: arena)) }
    }
}

/// The bytes of a shape.
struct ShapeKey: Hashable {
    enum Tag: UInt8 {
        case scan, select, group, count, aggregate, distinct, update, delete
        case always, never, compare, compareFields, isNil, form, areIn, related, join, not, all, any
        case ordering, limit, offset
    }

    private var bytes: [UInt8] = []
    /// The entities, in order; where they stand follows from the bytes.
    private var entities: [ObjectIdentifier] = []

    static func == (left: ShapeKey, right: ShapeKey) -> Bool {
        left.bytes == right.bytes && left.entities == right.entities
    }

    /// Hashes the first entity, and the bytes folded into one word: keys are made by the program, so nobody
    /// looks for two that collide.
    func hash(into hasher: inout Hasher) {
        let folded = bytes.withUnsafeBytes { bytes in
            var word = UInt64(bytes.count)
            var offset = 0
            while offset &+ 8 <= bytes.count {
                word = (word ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)).mixed
                offset &+= 8
            }
            while offset < bytes.count {
                word = (word ^ UInt64(bytes[offset])).mixed
                offset &+= 1
            }
            return word
        }
        hasher.combine(entities.first)
        hasher.combine(folded)
    }

    mutating func begin(_ entity: EntitySchema) {
        bytes.removeAll(keepingCapacity: true)
        entities.removeAll(keepingCapacity: true)
        add(entity)
    }

    mutating func add(_ entity: EntitySchema) {
        // One entity lives as long as the process, so its identity stays its own.
        entities.append(ObjectIdentifier(entity))
    }

    mutating func add(_ tag: Tag) { bytes.append(tag.rawValue) }

    mutating func add(_ byte: UInt8) { bytes.append(byte) }

    mutating func add(_ number: Int) {
        var rest = UInt(bitPattern: number)
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

extension UInt64 {
    /// The word with each bit spread over those above it and back.
    fileprivate var mixed: UInt64 {
        let product = self &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 32
    }
}

extension AggregateFunction {
    fileprivate var code: Int {
        switch self {
        case .minimum: 0
        case .maximum: 1
        case .sum: 2
        case .average: 3
        }
    }
}
