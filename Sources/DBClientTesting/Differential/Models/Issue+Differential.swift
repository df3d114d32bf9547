import DBClientCore

extension Issue: DifferentialModel {
    static let probes: [FieldProbe<Issue>] = {
        let series = FieldAccess<Issue, String>(
            name: "series",
            field: { $0.series },
            get: \.series,
            make: SampleValues.keyText
        )
        var key = FieldProbe<Issue>.key("series", \.series, SampleValues.keyText)
        key.conditions += series.searches { $0 }
        key.ordering = { series.textOrdering($0) { $0 } }
        return [key, .key("number", \.number, SampleValues.small), .text("title", \.title)]
    }()

    init(key: PrimaryKey) {
        self.init(key.series, key.number)
    }

    static func makeKey(_ random: RandomSource) -> PrimaryKey {
        PrimaryKey(SampleValues.keyText(random), random.below(3) - 1)
    }

    static func orderKeys(_ left: PrimaryKey, _ right: PrimaryKey) -> Int {
        let order = String.order(left.series, right.series)
        return order == 0 ? Int.order(left.number, right.number) : order
    }

    var normalized: Issue? {
        title.utf8.contains(0) ? nil : self
    }
}
