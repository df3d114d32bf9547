import DBClientCore
import DBClientSQL
import Foundation

/// PostgreSQL's way to spell what the dialects spell differently.
struct PostgreSQLDialect: SQLDialect {
    static let traits: SQLTraits = {
        var traits = SQLTraits(
            isDistinctFrom: "IS DISTINCT FROM",
            explainPrefix: "EXPLAIN ",
            byteCollation: "\"C\"",
            maximumParameterCount: 65_535,
            nullsAreLeast: false
        )
        traits.placeholderPrefix = "$"
        traits.maximumNameLength = 63
        traits.namesSchemas = true
        traits.namesShards = true
        traits.negatesByExistence = true
        traits.sessionVerbs = ["SET", "RESET", "DISCARD", "LISTEN", "UNLISTEN", "LOAD"]
        // An offset is an end to what the planner pulls up.
        traits.fence = " OFFSET 0"
        // A day and twenty-four hours less are equal to no time. Each round has all rows of one depth.
        traits.walkDepth = SQLWalkDepth(
            start: "make_interval()",
            next: "# + make_interval(days => 1, hours => -24)",
            value: "extract(day from #)::bigint"
        )
        return traits
    }()

    var traits: SQLTraits {
        var traits = Self.traits
        traits.wholeNames = wholeNames
        traits.declaresOtherColumns = declaresColumns != nil || changesColumns
        return traits
    }

    /// How columns are declared as if another program had made them, from the configuration.
    var declaresColumns: (@Sendable (FieldType) -> String?)?
    /// The formats of those columns, from the configuration.
    var formats: (@Sendable (FieldType) -> ColumnFormat?)?
    /// Whether the server makes columns of other types than a statement says.
    var changesColumns = false
    /// The names of tables of the current schema that have a dot, as earlier versions made them.
    var wholeNames = WholeTableNames()

    /// Tables whose names begin with `pg_` are the server's own, and each table has some columns that the server
    /// keeps.
    func name(_ name: String, of kind: SQLNameKind) -> String {
        let own = kind == .table ? parts(ofTable: name).name : name
        let rest = own.utf8.drop { $0 == UInt8(ascii: "_") }
        let isReserved =
            switch kind {
            case .table: rest.starts(with: "pg_".utf8)
            case .column: Self.systemColumns.contains { rest.elementsEqual($0.utf8) }
            }
        // One underscore more in front.
        if !isReserved { return name }
        let longer = EntitySchema.shortened("_" + own)
        return kind == .table ? self.name(longer, besideTable: name) : longer
    }

    private static let systemColumns = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

    /// Appends a column's name and type.
    func appendColumn(_ field: FieldSchema, to text: inout SQLText) {
        text.append(column: field.name)
        if let declared = declaresColumns?(field.type) { return text.append(" " + declared) }
        text.append(" ")
        Self.appendType(of: field, to: &text)
    }

    /// Appends a column's type and the collation of its text.
    static func appendType(of field: FieldSchema, to text: inout SQLText) {
        text.append(ServerType.name(of: field.type))
        if field.type.slotKind == .text, field.type != .json { text.append(" COLLATE \"C\"") }
    }

    func declaration(of type: FieldType, as format: ColumnFormat?) -> String {
        if let declared = declaresColumns?(type) {
            return declared.components(separatedBy: " COLLATE ")[0]
        }
        let name = ServerType.name(of: type)
        return changesColumns && name == "json" ? "jsonb" : name
    }

    func types(of column: SQLTableDescription.Column) -> [FieldType] {
        switch DeclaredType(column.underlyingType).name {
        case "boolean": [.boolean]
        case "smallint", "integer", "bigint": [.integer(bits: 64, signed: true)]
        case "numeric": [.decimal]
        case "double precision", "time without time zone": [.double]
        case "real": [.float]
        case "bytea": [.data]
        case "uuid": [.uuid]
        case "json", "jsonb": [.json]
        case "date", "timestamp": [.date]
        default: [.text, .date, .json]
        }
    }

    func template(of expression: SQLExpression) -> String {
        switch expression {
        // Numbers and lists have a type of their own in a condition: the server would take that of the column, which
        // may be narrower than the constant.
        case .parameter(.integer): "?::bigint"
        case .parameter(.json): "?::text"
        case .parameter: "?"
        case .test(let form, let column): template(of: form, on: column)
        case .keys(_, let types): Self.keys(of: types)
        case .folded: "lower((#)::text COLLATE \"C\")"
        // JSON is kept as it was written and compared by its text.
        case .comparable(.json): "(#)::text COLLATE \"C\""
        case .comparable: "#"
        case .aggregate(let function, let type): Self.template(of: function, type)
        // The server adds integers and decimals up exactly, as `numeric`, and compares that exactly.
        case .exactSum(.decimal): "sum((#))::text"
        case .exactSum: "sum((#)::bigint)::text"
        case .comparableSum(.decimal): "coalesce(sum((#)), 0)"
        case .comparableSum: "coalesce(sum((#)::bigint), 0)"
        case .realSum(let function, let isCompared): Self.realSum(function, isCompared: isCompared)
        case .field(let type, let isComputedWith):
            Self.template(of: type, isComputedWith: isComputedWith)
        case .constant(let type): Self.template(ofConstant: type)
        case .function(let call): Self.template(of: call)
        }
    }

    /// A row for each place in the arrays.
    private static func keys(of types: [FieldType]) -> String {
        let lists = types.map { type in
            switch type {
            case .integer: "?::bigint[]"
            case .json: "?::text[]"
            default: "?::\(ServerType.name(of: type))[]"
            }
        }
        return "(SELECT * FROM unnest(\(lists.joined(separator: ", "))))"
    }

    private static func template(of function: AggregateFunction, _ type: FieldType) -> String {
        let name = function == .minimum ? "min" : "max"
        return switch (function, type) {
        case (.sum, _): "sum(#)"
        // The server's own average divides before it rounds to a double, the other engines after that.
        case (.average, _): "(sum(#)::double precision / count(#))"
        case (.minimum, .boolean): "bool_and(#)"
        case (.maximum, .boolean): "bool_or(#)"
        // These have an order, but no function that picks an end of it.
        case (_, .uuid): "\(name)((#)::text COLLATE \"C\")::uuid"
        case (_, .data): "decode(\(name)(encode(#, 'hex') COLLATE \"C\"), 'hex')"
        case (_, .json): "\(name)((#)::text COLLATE \"C\")"
        default: "\(name)(#)"
        }
    }
}
