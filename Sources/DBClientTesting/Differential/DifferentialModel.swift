import DBClientCore

/// A model that the differential test can make up and knows by its Swift properties.
protocol DifferentialModel: Stored {
    /// The fields.
    static var probes: [FieldProbe<Self>] { get }
    /// Returns a key out of few, so that keys meet.
    static func makeKey(_ draws: Draws) -> PrimaryKey
    /// Creates a value with a key and nothing else.
    init(key: PrimaryKey)
    /// Returns the order of two keys.
    static func orderKeys(_ left: PrimaryKey, _ right: PrimaryKey) -> Int
    /// The value as it is stored; nil when it cannot be.
    var normalized: Self? { get }
    /// Whether a unique field or index keeps two values of different keys apart.
    static func collide(_ left: Self, _ right: Self) -> Bool
}

extension DifferentialModel {
    /// Returns a value of which some fields hold something.
    static func make(_ draws: Draws) -> Self {
        var model = Self(key: makeKey(draws))
        for probe in probes where draws.chance(50) { probe.fill?(&model, draws) }
        return model
    }

    static func collide(_ left: Self, _ right: Self) -> Bool { false }

    /// Every field as text.
    var shown: String {
        "{" + Self.probes.map { "\($0.name) \($0.show(self))" }.joined(separator: ", ") + "}"
    }

    /// The key as text.
    static func show(_ key: PrimaryKey) -> String {
        let model = Self(key: key)
        return Self.probes.filter { $0.fill == nil }.map { $0.show(model) }.joined(separator: "/")
    }
}
