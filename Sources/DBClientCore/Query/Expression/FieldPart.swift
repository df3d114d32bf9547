/// A part of a field that is stored as JSON, and that has parts itself: `$0.info.address`.
///
/// Its own parts are named by properties, positions and keys, until one is a value that expressions are made of. Each
/// of them is nil where it is not there; see ``Field/path(_:as:)-(PathStep...,_)``.
@dynamicMemberLookup
public struct FieldPart<Model: StoredConvertible, Value>: Sendable {
    /// The field that has the part.
    let field: FieldExpression<Model, Void>
    /// The way to the part; an error where a property is not coded.
    let steps: Result<[PathStep], DBClientError>

    /// Returns a part of this one that has parts itself.
    func part<Part>(_ step: Result<PathStep, DBClientError>) -> FieldPart<Model, Part> {
        FieldPart<Model, Part>(
            field: field,
            steps: steps.flatMap { steps in step.map { steps + [$0] } }
        )
    }

    /// Returns a part of this one that expressions are made of.
    func value<Part: ExpressionValue>(
        _ step: Result<PathStep, DBClientError>,
        as type: Part.Type
    ) -> FieldExpression<Model, Part?> {
        let part: FieldPart<Model, Part> = part(step)
        return field.part(at: { try part.steps.get() }, as: type)
    }
}

extension FieldPart where Value: PartedValue {
    /// A part that is a number, a text or another value of expressions.
    public subscript<Member: ExpressionValue>(
        dynamicMember keyPath: KeyPath<Value, Member>
    ) -> FieldExpression<Model, Member.Present?> {
        value(Value.step(to: keyPath), as: Member.Present.self)
    }

    /// A part that has parts itself.
    @_disfavoredOverload
    public subscript<Member>(
        dynamicMember keyPath: KeyPath<Value, Member>
    ) -> FieldPart<Model, Member> {
        part(Value.step(to: keyPath))
    }

    /// An optional part that has parts itself.
    @_disfavoredOverload
    public subscript<Member>(
        dynamicMember keyPath: KeyPath<Value, Member?>
    ) -> FieldPart<Model, Member> {
        part(Value.step(to: keyPath))
    }
}

extension FieldPart where Value: RandomAccessCollection {
    /// The element at a position of a list, from 0.
    public subscript(
        index: Int
    ) -> FieldExpression<Model, Value.Element.Present?> where Value.Element: ExpressionValue {
        value(.success(.index(index)), as: Value.Element.Present.self)
    }

    /// The element at a position of a list, which has parts itself.
    @_disfavoredOverload
    public subscript(index: Int) -> FieldPart<Model, Value.Element> {
        part(.success(.index(index)))
    }
}

extension FieldPart {
    /// The value of a key of a dictionary, which is a number, a text or another value of expressions.
    public subscript<Element: ExpressionValue>(
        key: String,
        as type: Element.Type = Element.self
    ) -> FieldExpression<Model, Element.Present?> where Value == [String: Element] {
        value(.success(.key(key)), as: Element.Present.self)
    }

    /// The value of a key of a dictionary, which has parts itself.
    @_disfavoredOverload
    public subscript<Element>(
        key: String
    ) -> FieldPart<Model, Element> where Value == [String: Element] {
        part(.success(.key(key)))
    }
}

extension FieldPart where Value: Collection {
    /// The number of elements of a list, or of keys of a dictionary; nil where neither is there.
    public var count: FieldExpression<Model, Int?> {
        let steps = steps
        let list: FieldExpression<Model, Void?> = field.part(at: { try steps.get() }, of: .json)
        return list.map { .function(.count, Int.fieldType, [$0]) }
    }
}

extension Field where Value: PartedTerm {
    /// A part of a field that is stored as JSON: a number, a text or another value of expressions.
    public subscript<Member: ExpressionValue>(
        dynamicMember keyPath: KeyPath<Value.Parted, Member>
    ) -> FieldExpression<Model, Member.Present?> {
        whole[dynamicMember: keyPath]
    }

    /// A part of a field that is stored as JSON, which has parts itself.
    @_disfavoredOverload
    public subscript<Member>(
        dynamicMember keyPath: KeyPath<Value.Parted, Member>
    ) -> FieldPart<Model, Member> {
        whole.part(Value.Parted.step(to: keyPath))
    }

    /// An optional part of a field that is stored as JSON, which has parts itself.
    @_disfavoredOverload
    public subscript<Member>(
        dynamicMember keyPath: KeyPath<Value.Parted, Member?>
    ) -> FieldPart<Model, Member> {
        whole.part(Value.Parted.step(to: keyPath))
    }

    private var whole: FieldPart<Model, Value.Parted> {
        FieldPart(field: fieldExpression.map { $0 }, steps: .success([]))
    }
}

extension PartedValue {
    /// Returns the step to a property.
    fileprivate static func step(
        to keyPath: PartialKeyPath<Self>
    ) -> Result<PathStep, DBClientError> {
        if let name = partName(of: keyPath) { return .success(.key(name)) }
        return .failure(
            DBClientError(
                .invalidRequest,
                "The \(keyPath.named) is not encoded by itself.",
                hint: "Use a stored property, or `path(_:as:)`."
            )
        )
    }
}
