import DBClientCore

/// A model that the differential test can make up and knows by its Swift properties.
protocol DifferentialModel: Stored {
    /// The fields of the model, each with its values and comparisons.
    static var probes: [FieldProbe<Self>] { get }
    /// Returns a key out of few, so that keys meet.
    static func makeKey(_ random: RandomSource) -> PrimaryKey
    /// Creates a value with a key and nothing else.
    init(key: PrimaryKey)
    /// Returns the order of two keys.
    static func orderKeys(_ left: PrimaryKey, _ right: PrimaryKey) -> Int
    /// The value as it is stored; nil when it cannot be.
    var normalized: Self? { get }
    /// Whether a unique field or index keeps two values of different keys apart.
    static func collide(_ left: Self, _ right: Self) -> Bool
    /// What is unique beside the key.
    static var uniqueProperties: [UniqueProperties<Self>] { get }
}

extension DifferentialModel {
    /// Returns a value of which some fields hold something.
    static func make(_ random: RandomSource) -> Self {
        var model = Self(key: makeKey(random))
        for probe in probes where random.chance(50) { probe.fill?(&model, random) }
        return model
    }

    static func collide(_ left: Self, _ right: Self) -> Bool { false }

    static var uniqueProperties: [UniqueProperties<Self>] { [] }

    /// Every field that holds something, as text.
    var shown: String {
        let blank = Self(key: primaryKey)
        let fields = Self.probes.compactMap { probe in
            let text = probe.show(self)
            return probe.isKey || text != probe.show(blank) ? "\(probe.name) \(text)" : nil
        }
        return "{\(fields.joined(separator: ", "))}"
    }

    /// Returns a primary key as text, for messages.
    static func show(_ key: PrimaryKey) -> String {
        let model = Self(key: key)
        return probes.filter(\.isKey).map { $0.show(model) }.joined(separator: "/")
    }
}
