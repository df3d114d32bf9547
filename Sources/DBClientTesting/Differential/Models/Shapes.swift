/// Every model that can be put together.
enum Shapes {
    private static let keys: [any ShapeKey.Type] = [
        IntegerKey.self, ByteKey.self, TextKey.self, DateKey.self, DecimalKey.self, UUIDKey.self,
        EnumKey.self,
    ]

    private static let fields: [any ShapeField.Type] = [
        IntegerField<Int>.self, IntegerField<Int8>.self, IntegerField<UInt16>.self,
        IntegerField<UInt64>.self, OptionalIntegerField<Int>.self,
        OptionalIntegerField<UInt32>.self,
        TextField.self, OptionalTextField.self, DoubleField.self, OptionalFloatField.self,
        DecimalField.self, OptionalDateField.self, OptionalFlagField.self, DataField.self,
        UUIDField.self, OptionalURLField.self,
    ]

    private static let pairs: [any ShapePair.Type] = [
        NoPair.self, IndexedPair.self, UniquePair.self,
    ]

    /// Returns a random model type, made of a key, fields and a pair.
    static func draw(_ random: RandomSource) -> any DifferentialModel.Type {
        shape(
            keys[random.below(keys.count)],
            field(random),
            field(random),
            field(random),
            pairs[random.below(pairs.count)]
        )
    }

    private static func field(_ random: RandomSource) -> any ShapeField.Type {
        let kind = fields[random.below(fields.count)]
        return switch random.below(3) {
        case 0: kind
        case 1: indexed(kind)
        default: unique(kind)
        }
    }

    private static func indexed<Kind: ShapeField>(_: Kind.Type) -> any ShapeField.Type {
        Indexed<Kind>.self
    }

    private static func unique<Kind: ShapeField>(_: Kind.Type) -> any ShapeField.Type {
        Unique<Kind>.self
    }

    private static func shape<
        Key: ShapeKey,
        A: ShapeField,
        B: ShapeField,
        C: ShapeField,
        Pair: ShapePair
    >(_: Key.Type, _: A.Type, _: B.Type, _: C.Type, _: Pair.Type) -> any DifferentialModel.Type {
        Shape<Key, A, B, C, Pair>.self
    }
}
