import DBClientCore
import Synchronization

/// A model that is made up as the test runs: out of kinds of keys, fields and indexes, which Swift puts
/// together into a type.
struct Shape<Key: ShapeKey, A: ShapeField, B: ShapeField, C: ShapeField, Pair: ShapePair>: Stored {
    let key: Key.Value
    var a: A.Value
    var b: B.Value
    var c: C.Value

    static var schema: Schema<Self> {
        ShapeMemory.value {
            let fields: [SchemaField<Self>] = [
                .field(\Self.key, "key", primaryKey: .given),
                field(A.self, \Self.a, "a"),
                field(B.self, \Self.b, "b"),
                field(C.self, \Self.c, "c"),
            ]
            return Schema<Self>(name: "Shape", fields: fields, indexes: indexes)
        }
    }

    private static func field<Kind: ShapeField>(
        _ kind: Kind.Type,
        _ path: KeyPath<Self, Kind.Value>,
        _ name: String
    ) -> SchemaField<Self> {
        switch Kind.index {
        case nil: .field(path, name)
        case .plain: .field(path, name, index: .plain)
        case .unique: .field(path, name, index: .unique)
        }
    }

    static var indexes: [StoredIndex<Self>] {
        switch Pair.index {
        case nil: []
        case .plain: [StoredIndex(\Self.c, \Self.a)]
        case .unique: [StoredIndex.unique(\Self.c, \Self.a)]
        }
    }

    var primaryKey: Key.Value { key }

    init(row: inout RowReader) throws {
        key = try row.read()
        a = try row.read()
        b = try row.read()
        c = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(key)
        try row.write(a)
        try row.write(b)
        try row.write(c)
    }
}

extension Shape: DifferentialModel {
    static var probes: [FieldProbe<Self>] {
        ShapeMemory.value {
            let key = FieldProbe<Self>.key("key", \Self.key, Key.make)
            let a: FieldProbe<Self> = A.probe("a", \Self.a)
            let b: FieldProbe<Self> = B.probe("b", \Self.b)
            let c: FieldProbe<Self> = C.probe("c", \Self.c)
            return [key, a, b, c]
        }
    }

    init(key: Key.Value) {
        self.key = key
        a = A.blank
        b = B.blank
        c = C.blank
    }

    static func makeKey(_ random: RandomSource) -> Key.Value { Key.make(random) }

    static func orderKeys(_ left: Key.Value, _ right: Key.Value) -> Int {
        Key.Value.order(left, right)
    }

    var normalized: Self? {
        guard let a = A.normalized(a), let b = B.normalized(b), let c = C.normalized(c) else {
            return nil
        }
        var copy = self
        (copy.a, copy.b, copy.c) = (a, b, c)
        return copy
    }

    static func collide(_ left: Self, _ right: Self) -> Bool {
        let (a, b, c) = (same(left.a, right.a), same(left.b, right.b), same(left.c, right.c))
        return A.index == .unique && a || B.index == .unique && b || C.index == .unique && c
            || Pair.index == .unique && c && a
    }

    private static func same<Value: OracleValue>(_ left: Value, _ right: Value) -> Bool {
        !left.isAbsent && Value.order(left, right) == 0
    }
}

/// Which index a made-up model has over two fields.
protocol ShapePair: Sendable {
    static var index: ShapeIndex? { get }
}

enum NoPair: ShapePair {
    static var index: ShapeIndex? { nil }
}

enum IndexedPair: ShapePair {
    static var index: ShapeIndex? { .plain }
}

enum UniquePair: ShapePair {
    static var index: ShapeIndex? { .unique }
}

/// What is made once for each type, which a generic type cannot keep.
private enum ShapeMemory {
    private static let values = Mutex<[ObjectIdentifier: any Sendable]>([:])

    static func value<Value: Sendable>(_ make: () -> Value) -> Value {
        let id = ObjectIdentifier(Value.self)
        if let value = values.withLock({ $0[id] }) as? Value { return value }
        let made = make()
        return values.withLock { values in
            if let value = values[id] as? Value { return value }
            values[id] = made
            return made
        }
    }
}
