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
            { random in
                let tag = SampleValues.text(random)
                return PairedCondition(
                    "tags contain \(tag.shown)",
                    { has($0.tags, tag) },
                    build: { $0.tags.contains(tag) }
                )
            },
            counts("tags", few, { $0.tags.count }) { $0.tags.count },
        ]
        tags.ordering = countOrdering("tags", { $0.tags.count }) { $0.tags.count }
        var optionalTags = FieldProbe<EveryType>.kept(
            "optionalTags",
            \.optionalTags,
            show: { $0.map(show) ?? "nil" },
            make: { $0.chance(60) ? $0.list(upTo: 3, SampleValues.text) : nil },
            assign: { $0.set(\.optionalTags, to: $1) }
        )
        optionalTags.conditions = [
            { random in
                let tag = SampleValues.text(random)
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
            counts("optionalTags", [nil] + few.map(Optional.some), { $0.optionalTags?.count }) {
                $0.optionalTags.count
            },
        ]
        optionalTags.ordering = countOrdering("optionalTags", { $0.optionalTags?.count }) {
            $0.optionalTags.count
        }
        var numbers = FieldProbe<EveryType>.kept(
            "numbers",
            \.numbers,
            show: { "\($0.sorted())" },
            make: { Set($0.list(upTo: 4, SampleValues.small)) },
            assign: { $0.set(\.numbers, to: $1) }
        )
        numbers.conditions = [
            { random in
                let number = SampleValues.small(random)
                return PairedCondition(
                    "numbers contain \(number)",
                    { $0.numbers.contains(number) },
                    build: { $0.numbers.contains(number) }
                )
            },
            counts("numbers", few, { $0.numbers.count }) { $0.numbers.count },
            counts("scores", few, { $0.scores.count }) { $0.scores.count },
        ]
        numbers.ordering = countOrdering("scores", { $0.scores.count }) { $0.scores.count }
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
        )
        .with(paths),
    ]

    /// What is read by key paths through an optional.
    private static let paths: [PairedFunction<EveryType>] = {
        let city: any KeyPath<EveryType, String?> & Sendable = \.optionalPlace?.city
        let zip: any KeyPath<EveryType, Int?> & Sendable = \.optionalPlace?.zip
        return [
            .distinct("optionalPlace?.city", city), .distinct("optionalPlace?.zip", zip),
            .minimum("optionalPlace?.city", optional: city),
            .maximum("optionalPlace?.zip", optional: zip),
            .sum("optionalPlace?.zip", optional: zip),
            .selected("optionalPlace?.city", city), .grouped("optionalPlace?.zip", zip),
        ]
    }()

    private static let few = [-1, 0, 1, 2, 3]

    /// A sort by a number of elements, none where there is no list.
    private static func countOrdering<Number: ExpressionValue>(
        _ name: String,
        _ get: @escaping @Sendable (EveryType) -> Int?,
        _ field: @escaping @Sendable (Fields<EveryType>) -> FieldExpression<EveryType, Number>
    ) -> @Sendable (RandomSource) -> PairedOrdering<EveryType> {
        { random in
            let isDescending = random.chance(40)
            return PairedOrdering(
                text: "count of \(name)\(isDescending ? " descending" : "")",
                orderings: EveryType.building { fields -> Ordering<EveryType> in
                    isDescending ? field(fields).descending : field(fields).ascending
                },
                exactField: nil
            ) { left, right in
                let order = (get(left) ?? -1) - (get(right) ?? -1)
                return isDescending ? -order : order
            }
        }
    }

    /// A comparison of a number of elements, none where there is no list, with one of several numbers.
    private static func counts<Number: ExpressionValue & Sendable>(
        _ name: String,
        _ numbers: [Number],
        _ get: @escaping @Sendable (EveryType) -> Int?,
        _ field: @escaping @Sendable (Fields<EveryType>) -> FieldExpression<EveryType, Number>
    ) -> @Sendable (RandomSource) -> PairedCondition<EveryType> {
        { random in
            guard let drawn = random.pick(from: numbers) else {
                return PairedCondition("true", { _ in true }, build: { _ in .constant(true) })
            }
            let number = drawn as? Int
            let shown = number.map { "\($0)" } ?? "nil"
            switch random.pick(0, 1, 2, 3) {
            case 0:
                return PairedCondition(
                    "\(name).count == \(shown)",
                    { get($0) == number },
                    build: { field($0) == drawn }
                )
            case 1:
                return PairedCondition(
                    "\(name).count != \(shown)",
                    { get($0) != number },
                    build: { field($0) != drawn }
                )
            case 2:
                return PairedCondition(
                    "\(name).count < \(shown)",
                    { value in get(value).flatMap { count in number.map { count < $0 } } ?? false },
                    build: { field($0) < drawn }
                )
            default:
                return PairedCondition(
                    "\(name).count >= \(shown)",
                    { value in get(value).flatMap { count in number.map { count >= $0 } } ?? false
                    },
                    build: { field($0) >= drawn }
                )
            }
        }
    }

    private static let scores = FieldProbe<EveryType>.kept(
        "scores",
        \.scores,
        show: { $0.map { "\($0.shown): \($1)" }.sorted().joined(separator: ", ") },
        make: { random in
            Dictionary(
                random.list(upTo: 2) { (SampleValues.text($0), SampleValues.small($0)) },
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

    private static func place(_ random: RandomSource) -> Place {
        Place(
            SampleValues.text(random),
            zip: random.chance(50) ? SampleValues.small(random) : nil
        )
    }

    private static func makeOrigin(_ random: RandomSource) -> Origin {
        Origin(
            planet: SampleValues.text(random),
            arrivedAt: random.chance(50) ? SampleValues.date(random) : nil,
            companions: random.list(upTo: 2, SampleValues.text)
        )
    }
}

extension FieldProbe {
    /// The same field with more functions.
    fileprivate func with(_ functions: [PairedFunction<Model>]) -> FieldProbe {
        var copy = self
        copy.functions += functions
        return copy
    }
}
