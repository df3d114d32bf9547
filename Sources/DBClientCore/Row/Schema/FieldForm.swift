import Foundation

/// The form in which a field was written, in words that stay the same from one build of a program to the
/// next: a store keeps it beside the values, so that they are not read as what they are not.
///
/// It begins with the name of the field's type, such as `int64` or `date`. The form of a field stored as JSON
/// names what it is made of: `json[int64]` is a list of integers, `json{uuid}` a set, `json[text:date]` a
/// dictionary, `json<Meta>` a `Codable` type. A type that writes itself as another's value is named in
/// parentheses, as in `text(Mood)`.
///
/// The name of a Swift type says what wrote a value, not how, so a renamed type reads what it wrote under its
/// former name. A migration alone goes by names as well, to know what it has converted.
///
/// The columns of a relationship, which hold the key of another entity's value, name that entity at the end:
/// `int64->Folder`. Two forms that are equal may name two entities, and do not fit each other then. How a column keeps
/// the values comes last, after an at sign, and does not change what they are: `date@iso8601-0`.
public struct FieldForm: Sendable {
    /// The form without the entity whose keys it is of.
    public let text: String
    /// The form without the names of types.
    private let plain: String
    /// The stored name of the entity whose keys it is of; found when it is first asked for, as entities refer to each
    /// other.
    private let held: (@Sendable () -> String)?
    /// How a column keeps the values, where the field says it.
    public let format: ColumnFormat?

    /// Takes a form from a store's description of itself.
    ///
    /// One whose format is unknown, as that of a later version, has no ``type``.
    public init(_ note: String) {
        let parts = note.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let format = parts.count == 2 ? ColumnFormat(named: parts[1]) : nil
        let note = parts.count == 2 && format == nil ? note[...] : parts[0]
        let arrow = "->".utf8
        guard let start = note.utf8.indices.first(where: { note.utf8[$0...].starts(with: arrow) })
        else {
            self.init(text: String(note), format: format)
            return
        }
        let name = Self.decoded(note[start...].utf8.dropFirst(arrow.count))
        self.init(text: String(note[..<start]), holding: { name }, format: format)
    }

    private init(
        text: String,
        holding held: (@Sendable () -> String)? = nil,
        format: ColumnFormat? = nil
    ) {
        self.text = text
        self.held = held
        self.format = format
        plain = Self.withoutNames(text)
    }

    /// Returns the form of keys of an entity's values.
    func holding(_ entity: @escaping @Sendable () -> String) -> FieldForm {
        FieldForm(text: text, holding: entity, format: format)
    }

    /// Returns the form of values that a column keeps in a format.
    package func stored(as format: ColumnFormat?) -> FieldForm {
        FieldForm(text: text, holding: held, format: format)
    }

    /// Whether it is that of a part of another entity's key.
    var isOfRelatedKey: Bool { held != nil }

    /// The note that a store keeps of the form.
    public var note: String {
        let note = held.map { "\(text)->\(Self.coded($0()))" } ?? text
        return format.map { "\(note)@\($0.name)" } ?? note
    }

    /// The form of a type of which no more is known.
    public init(_ type: FieldType) {
        self.init(text: type.name)
    }

    /// Describes the values of a Swift type.
    init(_ value: Any.Type, keptAs type: FieldType) {
        if type != .json, let scalar = Self.scalars[ObjectIdentifier(value)] {
            self = scalar
            return
        }
        guard let optional = value as? any OptionalForm.Type else {
            let content = Self.content(of: value)
            self.init(type == .json ? type.name + content : content)
            return
        }
        self.init(optional.wrappedType, keptAs: type)
    }

    /// Describes the raw values of a Swift type.
    init(rawValuesOf value: Any.Type, keptAs type: FieldType) {
        let owner = (value as? any OptionalForm.Type)?.wrappedType ?? value
        self.init("\(type.name)(\(Self.name(of: owner)))")
    }

    /// The type that the form begins with; nil for a word that is none, and for a format that is unknown.
    public var type: FieldType? {
        if text.utf8.contains(UInt8(ascii: "@")) { return nil }
        let end = text.utf8.firstIndex { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
                false
            default: true
            }
        }
        return FieldType(named: String(text[..<(end ?? text.endIndex)]))
    }

    /// The type of the elements of a list or a set of plain values; nil for what is neither.
    package var elementType: FieldType? {
        guard let open = plain.dropFirst(FieldType.json.name.count).first, "[{".contains(open),
            plain.hasPrefix(FieldType.json.name), !plain.contains(":")
        else { return nil }
        let element = plain.dropFirst(FieldType.json.name.count + 1).dropLast()
        return FieldType(named: String(element.last == "?" ? element.dropLast() : element))
    }

    /// Whether values in this form are read as what they are in another one.
    ///
    /// A `Codable` type says itself what JSON it reads, and throws for any other. A field that is no relationship
    /// reads keys of any entity, and may have been written before it became one.
    public func fits(_ other: FieldForm) -> Bool {
        guard holdsWhat(other) else { return false }
        return plain == other.plain
            || (isOpen || other.isOpen) && type == .json && other.type == .json
    }

    private func holdsWhat(_ other: FieldForm) -> Bool {
        guard let held, let others = other.held else { return true }
        return held().utf8.elementsEqual(others().utf8)
    }

    /// Whether two forms are of types that write alike: both under their own names, or both under none.
    func resembles(_ other: FieldForm) -> Bool {
        Self.withoutNames(text, leaving: true)
            == Self.withoutNames(other.text, leaving: true)
    }

    /// Whether it is JSON of which no more is known, or a type that codes itself is a part.
    private var isOpen: Bool { plain == FieldType.json.name || plain.contains("<>") }

    private static func withoutNames(_ text: String, leaving marks: Bool = false) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "<") })
        else {
            return text
        }
        var plain = ""
        var depth = 0
        for character in text {
            if character == "(" || character == "<" {
                if depth == 0, marks || character == "<" { plain.append(character) }
                depth += 1
            } else if character == ")" || character == ">" {
                depth -= 1
                if depth == 0, marks || character == ">" { plain.append(character) }
            } else if depth == 0 {
                plain.append(character)
            }
        }
        return plain
    }
}

extension FieldForm: Hashable {
    /// Whether both are written alike, even as keys of two entities.
    public static func == (left: FieldForm, right: FieldForm) -> Bool { left.text == right.text }

    /// Hashes the text that equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

extension FieldForm: CustomStringConvertible {
    /// The form in words, with no name of a Swift type.
    public var description: String {
        held.map { "\(plain), the key of \($0())" } ?? plain
    }
}

extension FieldForm {
    /// Returns a name in letters, digits and underscores of ASCII, and percent signs for all else: a note is a part of
    /// other texts.
    static func coded(_ name: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return name.utf8.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }

    static func decoded(_ text: some Sequence<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard byte == UInt8(ascii: "%"), let coded = UInt8(digits, radix: 16) else {
                bytes.append(byte)
                continue
            }
            bytes.append(coded)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension FieldForm {
    /// Returns what a value is made of: the name of a type that is no JSON, or what the JSON is of.
    fileprivate static func content(of type: Any.Type) -> String {
        if let optional = type as? any OptionalForm.Type {
            return content(of: optional.wrappedType) + "?"
        }
        if let collection = type as? any CollectionForm.Type { return collection.form }
        guard let storable = type as? any StorableValue.Type, storable.fieldType != .json else {
            return "<\(name(of: type))>"
        }
        if type == OffsetUInt64.self { return "\(storable.fieldType.name)+offset" }
        let plain = storable.fieldType.name
        return isPlain(type) ? plain : "\(plain)(\(name(of: type)))"
    }

    /// The forms of the commonest types: the runtime takes a million instructions to find out what a type conforms to.
    fileprivate static let scalars: [ObjectIdentifier: FieldForm] = {
        var forms: [ObjectIdentifier: FieldForm] = [:]
        func add<Scalar: StorableValue>(_ type: Scalar.Type) {
            let form = FieldForm(Scalar.fieldType)
            forms[ObjectIdentifier(Scalar.self)] = form
            forms[ObjectIdentifier(Scalar?.self)] = form
        }
        add(Int.self)
        add(Int64.self)
        add(Bool.self)
        add(Double.self)
        add(String.self)
        add(Date.self)
        add(Data.self)
        add(UUID.self)
        add(URL.self)
        add(Decimal.self)
        return forms
    }()

    /// Whether a type is the one that a field's type is named after.
    private static func isPlain(_ type: Any.Type) -> Bool {
        let name = _typeName(type, qualified: true)
        return ["Swift.", "Foundation.", "FoundationEssentials."].contains { name.hasPrefix($0) }
    }

    /// The name of a type without that of its module, and of no characters that have a meaning here.
    private static func name(of type: Any.Type) -> String {
        let name = _typeName(type, qualified: false)
        // Mostly there is nothing to replace, and a pattern costs more than the rest of a schema.
        let isPlain = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isPlain ? name : name.replacing(/[^\p{L}\p{N}_.]/, with: "_")
    }
}

/// An optional, as the form of a field sees it.
private protocol OptionalForm {
    static var wrappedType: Any.Type { get }
}

extension Optional: OptionalForm {
    fileprivate static var wrappedType: Any.Type { Wrapped.self }
}

/// A collection of which each engine keeps a JSON array or object.
private protocol CollectionForm {
    static var form: String { get }
}

extension Array: CollectionForm {
    fileprivate static var form: String { "[\(FieldForm.content(of: Element.self))]" }
}

extension Set: CollectionForm {
    fileprivate static var form: String { "{\(FieldForm.content(of: Element.self))}" }
}

extension Dictionary: CollectionForm {
    fileprivate static var form: String {
        "[\(FieldForm.content(of: Key.self)):\(FieldForm.content(of: Value.self))]"
    }
}

extension FieldSchema {
    /// Creates a field of a Swift type's values, optional where the type is.
    init(_ name: String, of value: Any.Type, _ type: FieldType) {
        self.init(
            name: name,
            type: type,
            isOptional: value is any OptionalForm.Type,
            form: FieldForm(value, keptAs: type)
        )
    }

    /// Creates a field of the raw values of a Swift type, optional where the type is.
    init(_ name: String, raw value: Any.Type, _ type: FieldType) {
        self.init(
            name: name,
            type: type,
            isOptional: value is any OptionalForm.Type,
            form: FieldForm(rawValuesOf: value, keptAs: type)
        )
    }
}
