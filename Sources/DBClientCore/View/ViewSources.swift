/// The rows from which those of a stored view are made: those of the model that it is of, and those that each of them leads
/// to by primary keys, through joins and to-one relationships.
///
/// So each row of the view comes from at most one row of each source, and a changed row tells by keys which rows of the
/// view it concerns.
struct ViewSources: Sendable {
    /// Rows of one entity, reached in one way.
    struct Node: Sendable {
        let entity: EntitySchema
        /// The position of the source whose rows lead to these; zero for the first as well.
        let parent: Int
        /// The columns of the parent's rows that hold the primary key, in its order; none for the first.
        let matching: [Int]
        /// The columns that the view looks at.
        fileprivate(set) var columns: Set<Int>
    }

    /// A column of a source.
    struct Place: Hashable, Sendable {
        let node: Int
        let column: Int
    }

    /// What is wrong with a definition.
    struct Refusal: Error {
        let reason: String
    }

    /// Whose fields the columns of a condition are.
    enum Scope {
        /// Those of the definition's rows, which may be joined.
        case rows
        case node(Int)
    }

    /// The sources, each behind the one that leads to it; the first is that of the model.
    private(set) var nodes: [Node] = []
    /// The source that each part of the definition's join is, by its columns among the joined ones.
    private var parts: [(columns: Range<Int>, node: Int)] = []

    /// - Throws: `Refusal` where rows are reached otherwise than by their primary keys.
    init(of query: RowQuery) throws {
        let join = query.join?.parts ?? [RowJoin.Part(query.entity, at: 0)]
        for part in join { try add(part, of: query) }
        for part in join { try look(at: part.condition, of: .rows) }
        try look(at: query.condition, of: .rows)
    }

    /// The entities, each once.
    var entities: [EntitySchema] {
        var entities: [EntitySchema] = []
        for node in nodes where !entities.contains(where: { $0 === node.entity }) {
            entities.append(node.entity)
        }
        return entities
    }

    /// The source of a part of the join, or of the rows themselves.
    func node(ofPart part: Int) -> Int { parts[part].node }

    /// Returns where a column is.
    func place(of column: Int, in scope: Scope = .rows) -> Place {
        if case .node(let node) = scope { return Place(node: node, column: column) }
        guard let part = parts.last(where: { $0.columns.lowerBound <= column }) else {
            return Place(node: 0, column: column)
        }
        return Place(node: part.node, column: column - part.columns.lowerBound)
    }

    // MARK: Looking

    private mutating func add(_ part: RowJoin.Part, of query: RowQuery) throws {
        let key = part.entity.primaryKey
        guard part.offset > 0 else {
            nodes.append(Node(entity: part.entity, parent: 0, matching: [], columns: Set(key)))
            parts.append((part.columns, 0))
            return
        }
        // The columns before the part that equal one of its own.
        var equals: [(before: Place, own: Int)] = []
        let conditions =
            part.condition.operands + (part.isOptional ? [] : query.condition.operands)
        for case .compareFields(let left, .equal, to: let right) in conditions
        where query.entity.fields[left].type == query.entity.fields[right].type {
            for (own, before) in [(left, right), (right, left)]
            where part.columns ~= own && before < part.offset {
                equals.append((place(of: before), own - part.offset))
            }
        }
        for parent in nodes.indices {
            let matching = key.compactMap { column in
                equals.first { $0.own == column && $0.before.node == parent }?.before.column
            }
            guard matching.count == key.count else { continue }
            nodes[parent].columns.formUnion(matching)
            parts.append((part.columns, nodes.count))
            nodes.append(
                Node(entity: part.entity, parent: parent, matching: matching, columns: Set(key))
            )
            return
        }
        throw Self.otherwise(part.entity)
    }

    /// Notes that the view looks at a field of its rows or of what they lead to, and returns where that is; nil for what is
    /// computed.
    @discardableResult
    mutating func look(at key: RowGrouping.Key) throws -> Place? {
        if key.window != nil { throw Refusal(reason: "must be without windows") }
        var scope = Scope.rows
        for hop in key.path { scope = .node(try follow(hop, from: scope)) }
        if let expression = key.expression {
            try look(at: expression, of: scope)
            return nil
        }
        return look(at: key.column, of: scope)
    }

    @discardableResult
    private mutating func look(at column: Int, of scope: Scope) -> Place {
        let place = place(of: column, in: scope)
        nodes[place.node].columns.insert(place.column)
        return place
    }

    private mutating func look(at condition: RowCondition, of scope: Scope) throws {
        switch condition {
        case .constant: break
        case .compare(let column, _, _, _), .isNil(let column), .field(let column, _):
            look(at: column, of: scope)
        case .compareFields(let column, _, let other):
            look(at: column, of: scope)
            look(at: other, of: scope)
        case .computed(let left, _, let right):
            try look(at: left, of: scope)
            try look(at: right, of: scope)
        case .areIn(let columns, _):
            for column in columns { look(at: column, of: scope) }
        case .related(let rows):
            let node = try follow(rows, from: scope)
            try look(at: rows.condition, of: .node(node))
        case .not(let operand): try look(at: operand, of: scope)
        case .all(let operands), .any(let operands):
            for operand in operands { try look(at: operand, of: scope) }
        case .guarded(let guarding, let guarded):
            try look(at: guarding, of: scope)
            try look(at: guarded, of: scope)
        }
    }

    private mutating func look(at expression: RowExpression, of scope: Scope) throws {
        switch expression {
        case .field(let column): look(at: column, of: scope)
        case .constant: break
        case .function(_, _, let operands), .firstPresent(let operands):
            for operand in operands { try look(at: operand, of: scope) }
        case .choice(let condition, let value, let other):
            try look(at: condition, of: scope)
            try look(at: value, of: scope)
            try look(at: other, of: scope)
        }
    }

    /// Returns the source that rows lead to, which is added where it is not there.
    private mutating func follow(_ rows: RelatedRows, from scope: Scope) throws -> Int {
        if let node = node(of: rows, from: scope) { return node }
        guard let (parent, matching) = way(of: rows, from: scope) else {
            throw Self.otherwise(rows.entity)
        }
        nodes[parent].columns.formUnion(matching)
        nodes.append(
            Node(
                entity: rows.entity,
                parent: parent,
                matching: matching,
                columns: Set(rows.entity.primaryKey)
            )
        )
        return nodes.count - 1
    }

    /// Returns the source that rows lead to, or nil where there is none yet.
    func node(of rows: RelatedRows, from scope: Scope) -> Int? {
        guard let (parent, matching) = way(of: rows, from: scope) else { return nil }
        return nodes.indices.dropFirst().first {
            nodes[$0].entity === rows.entity && nodes[$0].parent == parent
                && nodes[$0].matching == matching
        }
    }

    /// Returns the source whose rows lead to others, and the columns that hold their primary key; nil where they are reached
    /// otherwise.
    private func way(of rows: RelatedRows, from scope: Scope) -> (parent: Int, matching: [Int])? {
        let key = rows.entity.primaryKey
        let places = key.compactMap { column in
            rows.columns.firstIndex(of: column).map { place(of: rows.matching[$0], in: scope) }
        }
        guard places.count == key.count, rows.columns.count == key.count,
            let parent = places.first?.node, places.allSatisfy({ $0.node == parent }),
            rows.slice == nil, rows.total == nil
        else { return nil }
        return (parent, places.map(\.column))
    }

    private static func otherwise(_ entity: EntitySchema) -> Refusal {
        let name = entity.name
        return Refusal(
            reason:
                "must reach values of \(name) by their whole primary key in one of the other models"
        )
    }
}
