/// A value that is computed from fields of one model: `$0.price * $0.quantity`.
///
/// It stands wherever a field is compared. Numbers are computed with as by Swift's operators, on every engine: what
/// would trap there, an overflow or a division by zero, is the error `.invalidValue` of the call that uses the request,
/// and so is a double that is not finite. An absent operand makes the value absent.
public struct FieldExpression<Model: StoredConvertible, Value>: Sendable {
    /// The expression as engines see it.
    let row: RowExpression
    /// The way from the model to the one that has the fields.
    let path: [RelatedRows]
    /// Whose fields they are, as ``Field`` has it.
    let scope: Int
    /// Why the expression has no meaning, if it has none.
    let failure: DBClientError?
    /// What a row gets from those that are like it, which is selected and used for nothing else; nil for what is computed
    /// from the fields of the row alone.
    let window: Result<RowWindow, DBClientError>?
    /// The expression as one of the fields of what a relationship holds; nil where it is not of its key alone.
    let held: HeldExpression?

    init(
        scope: Int,
        path: [RelatedRows],
        held: HeldExpression? = nil,
        _ build: () throws -> RowExpression
    ) {
        self.scope = scope
        self.path = path
        self.held = held
        window = nil
        do {
            row = try build()
            failure = nil
        } catch {
            row = .constant(.null, .json)
            failure = DBClientError.wrapping(error)
        }
    }

    /// Creates what a row gets from those that are like it.
    init(scope: Int, _ window: Result<RowWindow, DBClientError>) {
        self.scope = scope
        self.window = window
        path = []
        held = nil
        row = .constant(.null, .json)
        failure = DBClientError(
            .invalidRequest,
            "What is computed over a window must be selected, and used for nothing else.",
            entity: Model.Storage.schema.entity.name,
            hint: "Fetch the rows with it, and filter or sort them in Swift."
        )
    }

    /// The entity that has the fields.
    var entity: EntitySchema { path.last?.entity ?? Model.Storage.schema.entity }
}

/// An operand of an expression: a field, or an expression.
public protocol ExpressionTerm<Model, Value>: Sendable {
    /// The model whose fields the term is made of.
    associatedtype Model: StoredConvertible
    /// The type of the term's value.
    associatedtype Value
    /// The term as an expression, which operators and functions compute with.
    var fieldExpression: FieldExpression<Model, Value> { get }
}

extension FieldExpression: ExpressionTerm {
    /// The expression itself, which needs no conversion.
    public var fieldExpression: FieldExpression<Model, Value> { self }
}

extension Field: ExpressionTerm {
    /// The field alone as an expression.
    public var fieldExpression: FieldExpression<Model, Value> {
        FieldExpression(
            scope: scope,
            path: path,
            held: held.map { HeldExpression(path: $0.path, computed(from: $0.position)) }
        ) {
            let column = try column()
            // A reference is as its key is.
            let isKey = relationship.map { $0.isByReference && $0.columns.count == 1 } ?? true
            if !isKey || isEmbedded {
                throw DBClientError(
                    .invalidRequest,
                    "An expression must be made of single fields.",
                    entity: entity.name,
                    field: relationship?.name ?? entity.fields[column].name
                )
            }
            return computed(from: column)
        }
    }

    /// Returns the expression of the field, which is at some position, or of what stands for it where it is absent.
    private func computed(from column: Int) -> RowExpression {
        guard let substitute else { return .field(column) }
        return .firstPresent([
            .field(column), .constant(substitute, entity.fields[position].type),
        ])
    }
}

extension FieldExpression {
    /// Returns an expression that is made of this one.
    func map<Result>(
        _ make: (RowExpression) throws -> RowExpression
    ) -> FieldExpression<Model, Result> {
        FieldExpression<Model, Result>(
            scope: scope,
            path: path,
            // What fails here fails below.
            held: held.flatMap { held in
                (try? make(held.row)).map { HeldExpression(path: held.path, $0) }
            }
        ) {
            if let failure { throw failure }
            return try make(row)
        }
    }

    /// Returns an expression that is made of this one and another of the same value.
    func combined<Other, Result>(
        with other: FieldExpression<Model, Other>,
        _ make: (RowExpression, RowExpression) throws -> RowExpression
    ) -> FieldExpression<Model, Result> {
        let (left, right) = aligned(with: other)
        var held: HeldExpression?
        if let first = left.held, let second = right.held, first.path == second.path {
            held = (try? make(first.row, second.row)).map { HeldExpression(path: first.path, $0) }
        }
        return FieldExpression<Model, Result>(scope: scope, path: left.path, held: held) {
            if let failure { throw failure }
            try left.check(right)
            return try make(left.row, right.row)
        }
    }

    /// Throws where another expression is not of the same value.
    func check<Other>(_ other: FieldExpression<Model, Other>) throws {
        if let failure = other.failure { throw failure }
        guard scope == other.scope, path == other.path else {
            throw DBClientError(
                .invalidRequest,
                "An expression must be made of fields of the same value.",
                entity: entity.name,
                hint: "Fetch both, and compute in Swift."
            )
        }
    }

    /// Returns the comparison with another expression.
    func compare<Other>(
        _ comparison: Comparison,
        to other: FieldExpression<Model, Other>
    ) -> Condition<Model> {
        let (left, right) = aligned(with: other)
        return left.condition { row in
            try left.check(right)
            return .comparing(row, comparison, right.row)
        }
    }

    /// Returns the comparison with a constant.
    func compare(_ comparison: Comparison, to value: Value) -> Condition<Model>
    where Value: ExpressionValue {
        condition { .comparing($0, comparison, try .constant(storing: value)) }
    }

    func condition(_ make: (RowExpression) throws -> RowCondition) -> Condition<Model> {
        do {
            if let failure { throw failure }
            let condition = try make(row)
            return Condition(
                path.isEmpty ? condition : try condition.reachedComputing(through: path),
                scope: scope,
                canFail: condition.canFail
            )
        } catch {
            return Condition(.constant(false), failure: DBClientError.wrapping(error))
        }
    }
}

extension RowCondition {
    /// Returns the condition on the row at the beginning of a path that holds where this one, on computed values, holds
    /// for the row at its end.
    ///
    /// - Throws: `.invalidValue` where it has no answer where the path leads nowhere.
    fileprivate func reachedComputing(through path: [RelatedRows]) throws -> RowCondition {
        if let last = path.last {
            let predicate = RowPredicate(self, of: last.entity)
            _ = predicate.matches(AbsentRow())
            try predicate.check()
        }
        return reached(through: path)
    }
}

extension RowExpression {
    /// Returns a value as a constant.
    ///
    /// - Throws: `.invalidValue` for one that no engine can keep.
    static func constant<Value: ExpressionValue>(storing value: Value) throws -> RowExpression {
        .constant(try StorageValue(storing: value), Value.fieldType)
    }

    /// Returns a function of two operands of a type that it returns, which joins the operands of the same function.
    ///
    /// - Throws: `.invalidValue` for a division by the constant zero.
    static func call(
        _ function: RowFunction,
        _ type: FieldType,
        _ left: RowExpression,
        _ right: RowExpression
    ) throws -> RowExpression {
        if function == .divide || function == .remainder, case .constant(let value, _) = right,
            value == .integer(0) || value == .real(0)
        {
            throw DBClientError(.invalidValue, "A number must not be divided by zero.")
        }
        if type.slotKind == .real, left.hasInfiniteConstant || right.hasInfiniteConstant {
            throw DBClientError(.invalidValue, "A number must be finite to be computed with.")
        }
        if case .function(function, type, let operands) = left, operands.count < maximumOperands {
            return .function(function, type, operands + [right])
        }
        return .function(function, type, [left, right])
    }

    /// Whether the value may be a constant that is infinite.
    private var hasInfiniteConstant: Bool {
        switch self {
        case .constant(.real(let value), _): !value.isFinite
        case .field, .constant, .function: false
        case .firstPresent(let operands): operands.contains(where: \.hasInfiniteConstant)
        case .choice(_, let value, let other):
            value.hasInfiniteConstant || other.hasInfiniteConstant
        }
    }

    /// As many as every engine's parser takes.
    private static var maximumOperands: Int { 32 }
}
