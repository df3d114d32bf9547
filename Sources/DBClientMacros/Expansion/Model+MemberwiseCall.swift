#if Macros
import SwiftParser
import SwiftSyntax

extension Model {
    /// The call of the compiler's own initializer, or nil where there is none or another could be meant.
    ///
    /// What an extension declares with the same labels takes part in the choice. So each argument has
    /// exactly the type of its property, and none is left to a default: a parameter that is another
    /// type's, generic, optional or extra then fits less well.
    var memberwiseCall: String? {
        guard hasMemberwiseInitializer else { return nil }
        var arguments = fields.map {
            (property: $0.property, value: $0.property.typed("try row.read()"))
        }
        for property in transientProperties where property.isMemberwiseParameter {
            guard let value = property.startingLiteral else { return nil }
            arguments.append((property, property.typed(value)))
        }
        let lines = arguments.sorted { $0.property.binding.position < $1.property.binding.position }
            .map { "\($0.property.argumentLabel): \($0.value)" }
        return Code.block("self.init(", [lines.joined(separator: ",\n")], ")")
    }
}

extension StoredProperty {
    /// A constant with a value of its own is not one.
    fileprivate var isMemberwiseParameter: Bool { !isConstant || initialValue == nil }

    /// What a transient property starts from, where that reads alike wherever it stands.
    fileprivate var startingLiteral: String? {
        guard let initialValue else { return isOptional ? "nil" : "[]" }
        return initialValue.isPlainLiteral && type?.is(SomeOrAnyTypeSyntax.self) != true
            ? initialValue.trimmedDescription : nil
    }

    /// Whether the property has a value of its own that stored values get when it is added to the model.
    ///
    /// A value that a wrapper may change counts where it is a literal or a case, since the property cannot be read
    /// while the struct is being made.
    var beginsWithValue: Bool {
        guard let initialValue, !initialValue.is(NilLiteralExprSyntax.self), !isConstant,
            type?.is(SomeOrAnyTypeSyntax.self) != true
        else { return false }
        return !isWrapped || initialValue.isPlainLiteral || initialValue.isPlainMember
    }

    /// Whether the property has a value of its own that cannot be told because of a wrapper.
    var hidesInitialValue: Bool {
        isWrapped && !isConstant && initialValue.map { !$0.is(NilLiteralExprSyntax.self) } ?? false
            && !beginsWithValue && type?.is(SomeOrAnyTypeSyntax.self) != true
    }

    /// The statement that tells what the property begins with.
    func startingLine(of macro: ModelMacro) -> String {
        let value =
            isWrapped ? initialValue.map { typed($0.trimmedDescription) } ?? "" : "self.\(name)"
        return switch macro {
        case .stored: "row.set(\\.\(name), to: \(value))"
        case .embedded:
            Code.block(
                "do {",
                ["let value = \(value)", "try row.set(\\.\(name)) { try $0.write(value) }"]
            )
        }
    }

    /// Whether an attribute that is none of the library's may make the property something else than storage.
    private var isWrapped: Bool { !declaration.hasPlainAttributes }

    /// Returns an expression of exactly the property's type.
    ///
    /// By a key path, since the type's own name may mean nothing, or another type, in the extension of a
    /// nested struct, and may not be written at all.
    func typed(_ value: String) -> String {
        "DBClientCore.RowReader.value(\(value), of: \\Self.\(name))"
    }
}

extension ExprSyntax {
    /// Whether the expression is a literal that means the same wherever it stands.
    fileprivate var isPlainLiteral: Bool {
        if let negated = self.as(PrefixOperatorExprSyntax.self), negated.operator.text == "-" {
            return negated.expression.is(IntegerLiteralExprSyntax.self)
                || negated.expression.is(FloatLiteralExprSyntax.self)
        }
        if let text = self.as(StringLiteralExprSyntax.self) {
            return text.representedLiteralValue != nil
        }
        if let list = self.as(ArrayExprSyntax.self) { return list.elements.isEmpty }
        if let dictionary = self.as(DictionaryExprSyntax.self) {
            return dictionary.content.is(TokenSyntax.self)
        }
        return self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
            || self.is(BooleanLiteralExprSyntax.self) || self.is(NilLiteralExprSyntax.self)
    }

    /// Whether the expression is a member of the type that is wanted, such as the case of an enum.
    fileprivate var isPlainMember: Bool {
        self.as(MemberAccessExprSyntax.self).map { $0.base == nil } ?? false
    }
}
#endif
