import DBClientCore

extension Hero: DifferentialModel {
    static let probes: [FieldProbe<Hero>] = {
        var power = FieldProbe<Hero>.double("power", \.power, SampleValues.double)
        power.functions += [.sum("power", exact: \.power), .average("power", \.power) { $0 }]
        // Sometimes a value that no store keeps.
        power.fill = { $0.power = $1.chance(1) ? .nan : SampleValues.double($1) }
        var publisher = FieldProbe<Hero>.compared(
            optional: "publisherId",
            \.publisherId,
            SampleValues.small
        )
        publisher.functions += [
            .sum("publisherId", optional: \.publisherId),
            .average("publisherId", \.publisherId) { $0.map(Double.init) },
        ]
        var id = FieldProbe<Hero>.key("id", \.id) { $0.below(16) }
        id.functions += [.sum("id", \.id), .average("id", \.id) { Double($0) }]
        return [
            id, .text("name", \.name), .text("realName", \.realName), publisher, power,
            .compared("createdAt", \.createdAt, SampleValues.date),
            .plain("isActive", \.isActive) { $0.chance(50) },
            .text(optional: "bio", \.bio),
        ]
    }()

    init(key: Int) {
        self.init(key)
    }

    static func makeKey(_ random: RandomSource) -> Int { random.below(16) }

    static func orderKeys(_ left: Int, _ right: Int) -> Int { Int.order(left, right) }

    var normalized: Hero? {
        if power.isNaN || (name + realName + (bio ?? "")).utf8.contains(0) { return nil }
        var copy = self
        if power == 0 { copy.power = 0 }
        return copy
    }
}
