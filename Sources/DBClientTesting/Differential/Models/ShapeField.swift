import DBClientCore
import Foundation

/// A kind of field of a made-up model.
protocol ShapeField: Sendable {
    associatedtype Value: StorableValue & OracleValue

    /// What a new model has in the field.
    static var blank: Value { get }
    static var index: ShapeIndex? { get }
    /// Returns the field of a model as the test uses it.
    static func probe<Model: Stored>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Value> & Sendable
    ) -> FieldProbe<Model>
    /// Returns a value as it is stored; nil when it cannot be.
    static func normalized(_ value: Value) -> Value?
}

extension ShapeField {
    static var index: ShapeIndex? { nil }

    static func normalized(_ value: Value) -> Value? { value }
}

/// The index of one field, or of two.
enum ShapeIndex {
    case plain
    case unique
}

/// A field with an index that allows equal values.
enum Indexed<Kind: ShapeField>: WrappedShapeField {
    static var index: ShapeIndex? { .plain }
}

/// A field with an index that keeps values apart.
enum Unique<Kind: ShapeField>: WrappedShapeField {
    static var index: ShapeIndex? { .unique }
}

/// A field that is like another kind except for its index.
protocol WrappedShapeField: ShapeField where Value == Kind.Value {
    associatedtype Kind: ShapeField
}

extension WrappedShapeField {
    static var blank: Kind.Value { Kind.blank }

    static func probe<Model: Stored>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Kind.Value> & Sendable
    ) -> FieldProbe<Model> {
        Kind.probe(name, path)
    }

    static func normalized(_ value: Kind.Value) -> Kind.Value? { Kind.normalized(value) }
}

// MARK: Kinds

enum IntegerField<
    Value: FixedWidthInteger & IntegerValue & AdditiveValue & Codable & OracleValue
>: ShapeField where Value.Present == Value {
    static var blank: Value { 0 }

    static func probe<Model: Stored>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Value> & Sendable
    ) -> FieldProbe<Model> {
        .integer(name, path, SampleValues.integer)
    }
}

enum OptionalIntegerField<
    Wrapped: FixedWidthInteger & StorableValue & OracleValue
>: ShapeField {
    static var blank: Wrapped? { nil }

    static func probe<Model: Stored>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Wrapped?> & Sendable
    ) -> FieldProbe<Model> {
        .compared(optional: name, path, SampleValues.integer)
    }
}

enum TextField: ShapeField {
    static var blank: String { "" }

    static func probe<Model: Stored>(
        _ name: String,
        _ path: any WritableKeyPath<Model, String> & Sendable
    ) -> FieldProbe<Model> {
        .text(name, path)
    }

    static func normalized(_ value: String) -> String? {
        value.utf8.contains(0) ? nil : value
    }
}

enum OptionalTextField: ShapeField {
    static var blank: String? { nil }

    static func probe<Model: Stored>(
        _ name: String,
        _ path: any WritableKeyPath<Model, String?> & Sendable
    ) -> FieldProbe<Model> {
        .text(optional: name, path)
    }
}

enum DoubleField: ShapeField {
    static var blank: Double { 0 }

    static func probe<Model: Stored>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Double> & Sendable
    ) -> FieldProbe<Model> {
        .double(name, path, SampleValues.anyDouble)
    }

    static func normalized(_ value: Double) -> Double? { value == 0 ? 0 : value }
}

enum OptionalFloatField: ShapeField {
    static var blank: Float? { nil }

    static func probe<Model: Stored>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Float?> & Sendable
    ) -> FieldProbe<Model> {
        .compared(optional: name, path, SampleValues.float)
    }

    static func normalized(_ value: Float?) -> Float?? { .some(value == 0 ? 0 : value) }
}

enum DecimalField: ShapeField {
    static var blank: Decimal { 0 }

    static func probe<Model: Stored>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Decimal> & Sendable
    ) -> FieldProbe<Model> {
        .compared(name, path, SampleValues.decimal)
    }
}

enum OptionalDateField: ShapeField {
    static var blank: Date? { nil }

    static func probe<Model: Stored>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Date?> & Sendable
    ) -> FieldProbe<Model> {
        .compared(optional: name, path, SampleValues.date)
    }
}

enum OptionalFlagField: ShapeField {
    static var blank: Bool? { nil }

    static func probe<Model: Stored>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Bool?> & Sendable
    ) -> FieldProbe<Model> {
        .plain(name, path) { $0.pick(nil, false, true) }
    }
}

enum DataField: ShapeField {
    static var blank: Data { Data() }

    static func probe<Model: Stored>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Data> & Sendable
    ) -> FieldProbe<Model> {
        .plain(name, path, SampleValues.data)
    }
}

enum UUIDField: ShapeField {
    static var blank: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

    static func probe<Model: Stored>(
        _ name: String,
        _ path: any WritableKeyPath<Model, UUID> & Sendable
    ) -> FieldProbe<Model> {
        .plain(name, path, SampleValues.uuid)
    }
}

enum OptionalURLField: ShapeField {
    static var blank: URL? { nil }

    static func probe<Model: Stored>(
        _ name: String,
        _ path: any WritableKeyPath<Model, URL?> & Sendable
    ) -> FieldProbe<Model> {
        .plain(name, path) { $0.chance(60) ? SampleValues.url($0) : nil }
    }
}
