/// Writes down what a definition of a view is, the same in every program of one definition: by stored names instead of
/// positions, of the fields that are looked at alone, and with every value and its length.
///
/// It is written here and not as Swift prints values, which a compiler or a renamed case may change unnoticed.
struct ViewText {
    /// How definitions are written down, and what they come to: another number where a version of the library writes them
    /// otherwise or computes other values, so that no view is taken for one that it is not.
    private static let version = 2

    private(set) var text = "views \(version)"
    private let sources: ViewSources

    init(_ sources: ViewSources) {
        self.sources = sources
    }

    mutating func add(_ word: String) {
        text += " \(word.utf8.count):\(word)"
    }

    /// Adds the fields of the view's own entity.
    mutating func add(view entity: EntitySchema) {
        add(entity.name)
        for field in entity.fields { add(field) }
        add(entity.primaryKey.map { entity.fields[$0].name })
    }

    /// Adds the sources, with the fields that are looked at.
    mutating func addSources() {
        for node in sources.nodes {
            add(node.entity.name)
            add("\(node.parent)")
            add(node.matching.map { sources.nodes[node.parent].entity.fields[$0].name })
            let fields = node.columns.map { node.entity.fields[$0] }
            for field in fields.sorted(by: { $0.name < $1.name }) { add(field) }
        }
    }

    /// Adds how the rows of the parts of a query are put together, and which are chosen.
    mutating func add(_ query: RowQuery) {
        for part in query.join?.parts ?? [] {
            add("\(sources.place(of: part.offset).node)\(part.isOptional ? "?" : "")")
            add(words(part.condition, .rows))
        }
        add(words(query.condition, .rows))
    }

    mutating func add(_ key: RowGrouping.Key) { add(words(key)) }

    mutating func add(_ grouping: RowGrouping) {
        add(grouping.query)
        for key in grouping.keys { add(key) }
        for term in grouping.terms { add(words(term)) }
        add(words(grouping.condition))
    }

    private mutating func add(_ field: FieldSchema) {
        add("\(field.name) \(field.form)\(field.isOptional ? "?" : "")")
    }

    private mutating func add(_ words: [String]) { add(Self.call("list", words)) }

    // MARK: Words

    private static func call(_ name: String, _ words: [String]) -> String {
        "\(name)(\(words.map { "\($0.utf8.count):\($0)" }.joined(separator: " ")))"
    }

    private func column(_ column: Int, _ scope: ViewSources.Scope) -> String {
        let place = sources.place(of: column, in: scope)
        return "\(place.node).\(sources.nodes[place.node].entity.fields[place.column].name)"
    }

    private func words(_ key: RowGrouping.Key) -> String {
        var scope = ViewSources.Scope.rows
        for hop in key.path {
            guard let node = sources.node(of: hop, from: scope) else { return "?" }
            scope = .node(node)
        }
        return key.expression.map { words($0, scope) } ?? column(key.column, scope)
    }

    private func words(_ term: RowGrouping.Term) -> String {
        let operand = term.operand.map(words) ?? ""
        return switch term {
        case .count: "count"
        case .function(let function, _), .heldFunction(let function, _):
            Self.call(Self.name(function), [operand])
        case .distinctCount: Self.call("distinct", [operand])
        }
    }

    private func words(_ condition: RowGroupCondition) -> String {
        switch condition {
        case .constant(let isTrue): "\(isTrue)"
        case .compare(let term, let comparison, let value):
            Self.call(comparison.sign, [words(term), Self.words(value)])
        case .isNil(let term): Self.call("nil", [words(term)])
        case .not(let operand): Self.call("not", [words(operand)])
        case .all(let operands): Self.call("all", operands.map(words))
        case .any(let operands): Self.call("any", operands.map(words))
        }
    }

    private func words(_ condition: RowCondition, _ scope: ViewSources.Scope) -> String {
        func words(_ operand: RowCondition) -> String { self.words(operand, scope) }
        func words(_ expression: RowExpression) -> String { self.words(expression, scope) }
        func field(_ column: Int) -> String { self.column(column, scope) }
        switch condition {
        case .constant(let isTrue): return "\(isTrue)"
        case .compare(let column, let comparison, let value, let order):
            return Self.call(
                comparison.sign,
                [field(column), Self.words(value), Self.name(order)]
            )
        case .compareFields(let column, let comparison, let other):
            return Self.call("fields \(comparison.sign)", [field(column), field(other)])
        case .computed(let left, let comparison, let right):
            return Self.call("computed \(comparison.sign)", [words(left), words(right)])
        case .guarded(let guarding, let guarded):
            return Self.call("guarded", [words(guarding), words(guarded)])
        case .isNil(let column): return Self.call("nil", [field(column)])
        case .field(let column, let test):
            return Self.call("test", [field(column)] + Self.words(test))
        case .areIn(let columns, let keys):
            let keys = keys.map { Self.call("key", $0.map(Self.words)) }
            return Self.call("keys", [Self.call("fields", columns.map(field))] + keys)
        case .related(let rows):
            guard let node = sources.node(of: rows, from: scope) else { return "?" }
            let count = rows.count.map { "\($0.comparison.sign) \($0.number)" } ?? ""
            let condition = self.words(rows.condition, .node(node))
            return Self.call("related", ["\(node)", count, condition])
        case .not(let operand): return Self.call("not", [words(operand)])
        case .all(let operands): return Self.call("all", operands.map(words))
        case .any(let operands): return Self.call("any", operands.map(words))
        }
    }

    private func words(_ expression: RowExpression, _ scope: ViewSources.Scope) -> String {
        func words(_ operand: RowExpression) -> String { self.words(operand, scope) }
        switch expression {
        case .field(let column): return self.column(column, scope)
        case .constant(let value, let type):
            return Self.call("constant", [Self.words(value), FieldForm(type).text])
        case .function(let function, let type, let operands):
            return Self.call(
                "function",
                ["\(function.name)", FieldForm(type).text] + operands.map(words)
            )
        case .firstPresent(let operands):
            return Self.call("first", operands.map(words))
        case .choice(let condition, let value, let other):
            return Self.call(
                "choice",
                [self.words(condition, scope), words(value), words(other)]
            )
        }
    }

    private static func words(_ test: FieldTest) -> [String] {
        switch test {
        case .isIn(let values): ["in"] + values.map(words)
        case .matches(let pattern):
            ["matches", "\(pattern.kind.rawValue)", "\(pattern.ignoresCase)", pattern.text]
        case .hasElement(let json): ["element", words(json)]
        case .elementCount(let comparison, let number): ["count", comparison.sign, "\(number)"]
        }
    }

    private static func words(_ value: StorageValue) -> String {
        switch value {
        case .null: "null"
        case .integer(let value): "integer \(value)"
        case .real(let value): "real \(value.bitPattern)"
        case .text(let text): "text \(text)"
        case .data(let bytes): "data \(bytes)"
        }
    }

    private static func name(_ function: AggregateFunction) -> String {
        switch function {
        case .minimum: "minimum"
        case .maximum: "maximum"
        case .sum: "sum"
        case .average: "average"
        }
    }

    private static func name(_ order: TextOrder) -> String {
        switch order {
        case .binary: "binary"
        case .caseInsensitive: "folded"
        case .natural: "natural"
        }
    }
}
