import DBClientCore
import Foundation

extension EveryType {
    /// Lists and JSON, of which elements are asked for.
    static let lists: [FieldProbe<EveryType>] = {
        var tags = FieldProbe<EveryType>.kept(
            "tags",
            \.tags,
            show: show,
            make: { $0.list(upTo: 3, SampleValues.text) },
            assign: { $0.set(\.tags, to: $1) }
        )
        tags.conditions = [
            { draws in
                let tag = SampleValues.text(draws)
                return PairedCondition(
                    "tags contain \(tag.shown)",
                    { has($0.tags, tag) },
                    build: { $0.tags.contains(tag) }
                )
            }
        ]
        var optionalTags = FieldProbe<EveryType>.kept(
            "optionalTags",
            \.optionalTags,
            show: { $0.map(show) ?? "nil" },
            make: { $0.chance(60) ? $0.list(upTo: 3, SampleValues.text) : nil },
            assign: { $0.set(\.optionalTags, to: $1) }
        )
        optionalTags.conditions = [
            { draws in
                let tag = SampleValues.text(draws)
                return PairedCondition(
                    "optionalTags contain \(tag.shown)",
                    { $0.optionalTags.map { has($0, tag) } ?? false },
                    build: { $0.optionalTags.contains(tag) }
                )
            },
            { _ in
                PairedCondition(
                    "optionalTags == nil",
                    { $0.optionalTags == nil },
                    build: {
                        $0.optionalTags == nil
                    }
                )
            },
        ]
        var numbers = FieldProbe<EveryType>.kept(
            "numbers",
            \.numbers,
            show: { "\($0.sorted())" },
            make: { Set($0.list(upTo: 4, SampleValues.small)) },
            assign: { $0.set(\.numbers, to: $1) }
        )
        numbers.conditions = [
            { draws in
                let number = SampleValues.small(draws)
                return PairedCondition(
                    "numbers contain \(number)",
                    { $0.numbers.contains(number) },
                    build: { $0.numbers.contains(number) }
                )
            }
        ]
        return [tags, optionalTags, numbers, scores, origin, optionalOrigin]
    }()

    /// Embedded values, whose fields are asked for.
    static let embedded: [FieldProbe<EveryType>] = [
        .kept(
            "place",
            \.place,
            show: show,
            make: place,
            assign: { $0.set(\.place, to: $1) }
        ),
        .kept(
            "optionalPlace",
            \.optionalPlace,
            show: { $0.map(show) ?? "nil" },
            make: { $0.chance(60) ? place($0) : nil },
            assign: { $0.set(\.optionalPlace, to: $1) }
        ),
        .embedded(
            "place.city",
            get: \.place.city,
            text: { $0 },
            make: SampleValues.text,
            field: { $0.place.city }
        ),
        .embedded(
            "optionalPlace.city",
            get: { $0.optionalPlace?.city },
            text: { $0 },
            make: { $0.chance(80) ? SampleValues.text($0) : nil },
            field: { $0.optionalPlace.city }
        ),
    ]

    private static let scores = FieldProbe<EveryType>.kept(
        "scores",
        \.scores,
        show: { $0.map { "\($0.shown): \($1)" }.sorted().joined(separator: ", ") },
        make: { draws in
            Dictionary(
                draws.list(upTo: 2) { (SampleValues.text($0), SampleValues.small($0)) },
                uniquingKeysWith: { $1 }
            )
        },
        assign: { $0.set(\.scores, to: $1) }
    )

    private static let origin = FieldProbe<EveryType>.kept(
        "origin",
        \.origin,
        show: show,
        make: makeOrigin,
        assign: { $0.set(\.origin, to: $1) }
    )

    private static let optionalOrigin = FieldProbe<EveryType>.kept(
        "optionalOrigin",
        \.optionalOrigin,
        show: { $0.map(show) ?? "nil" },
        make: { $0.chance(60) ? makeOrigin($0) : nil },
        assign: { $0.set(\.optionalOrigin, to: $1) }
    )

    private static func has(_ tags: [String], _ tag: String) -> Bool {
        tags.contains { String.order($0, tag) == 0 }
    }

    private static func show(_ tags: [String]) -> String {
        "[" + tags.map(\.shown).joined(separator: ", ") + "]"
    }

    private static func show(_ place: Place) -> String {
        "\(place.city.shown) \(place.zip.shown)"
    }

    private static func show(_ origin: Origin) -> String {
        "\(origin.planet.shown) \(origin.arrivedAt.shown) \(show(origin.companions))"
    }

    private static func place(_ draws: Draws) -> Place {
        Place(
            SampleValues.text(draws),
            zip: draws.chance(50) ? SampleValues.small(draws) : nil
        )
    }

    private static func makeOrigin(_ draws: Draws) -> Origin {
        Origin(
            planet: SampleValues.text(draws),
            arrivedAt: draws.chance(50) ? SampleValues.date(draws) : nil,
            companions: draws.list(upTo: 2, SampleValues.text)
        )
    }
}
