import DBClientCore
import Foundation

extension EveryType: DifferentialModel {
    static let probes: [FieldProbe<EveryType>] =
        [.key("id", \.id) { $0.below(6) }] + numbers + texts + values + lists + embedded

    init(key: Int) {
        self.init(key)
    }

    static func makeKey(_ random: RandomSource) -> Int { random.below(6) }

    static func orderKeys(_ left: Int, _ right: Int) -> Int { Int.order(left, right) }

    var normalized: EveryType? {
        if double.isNaN || text.utf8.contains(0) || uint64 > UInt64(Int64.max) { return nil }
        var copy = self
        if double == 0 { copy.double = 0 }
        if float == 0 { copy.float = 0 }
        if optionalDouble == 0 { copy.optionalDouble = 0 }
        if optionalFloat == 0 { copy.optionalFloat = 0 }
        return copy
    }

    private static let numbers: [FieldProbe<EveryType>] = {
        var double = FieldProbe<EveryType>.compared("double", \.double, SampleValues.anyDouble)
        double.fill = { $0.double = $1.chance(1) ? .nan : SampleValues.anyDouble($1) }
        var uint64 = FieldProbe<EveryType>.compared("uint64", \.uint64, SampleValues.integer)
        uint64.fill = { $0.uint64 = $1.chance(1) ? .max : SampleValues.integer($1) }
        uint64.functions.append(.sum("uint64", \.uint64))
        var int8 = FieldProbe<EveryType>.compared("int8", \.int8, SampleValues.integer)
        int8.functions.append(.sum("int8", \.int8))
        var int64 = FieldProbe<EveryType>.compared("int64", \.int64, SampleValues.integer)
        int64.functions.append(.sum("int64", \.int64))
        var optional = FieldProbe<EveryType>.compared(
            optional: "optionalInt32",
            \.optionalInt32,
            SampleValues.integer
        )
        optional.functions.append(.sum("optionalInt32", optional: \.optionalInt32))
        var decimal = FieldProbe<EveryType>.compared("decimal", \.decimal, SampleValues.decimal)
        decimal.functions += PairedFunction.totals("decimal", \.decimal)
        double.conditions += pairs
        return [
            double, uint64, int8, int64, optional,
            .compared("int16", \.int16, SampleValues.integer),
            .compared("uint8", \.uint8, SampleValues.integer),
            .compared("uint32", \.uint32, SampleValues.integer),
            .compared(optional: "optionalUint", \.optionalUint, SampleValues.integer),
            .compared("float", \.float, SampleValues.float),
            .compared(optional: "optionalFloat", \.optionalFloat, SampleValues.float),
            .compared(optional: "optionalDouble", \.optionalDouble, SampleValues.anyDouble),
            decimal,
            .compared(optional: "optionalDecimal", \.optionalDecimal, SampleValues.decimal),
        ]
    }()

    private static let texts: [FieldProbe<EveryType>] = [
        .text("text", \.text), .text(optional: "optionalText", \.optionalText),
    ]

    private static let values: [FieldProbe<EveryType>] = [
        .plain("flag", \.flag) { $0.chance(50) },
        .plain("optionalFlag", \.optionalFlag) { $0.pick(nil, false, true) },
        .plain("data", \.data, SampleValues.data),
        .plain("optionalData", \.optionalData) { $0.chance(60) ? SampleValues.data($0) : nil },
        .compared("date", \.date, SampleValues.date),
        .compared(optional: "optionalDate", \.optionalDate, SampleValues.date),
        .plain("uuid", \.uuid, SampleValues.uuid),
        .plain("optionalUuid", \.optionalUuid) { $0.chance(60) ? SampleValues.uuid($0) : nil },
        .plain("url", \.url, SampleValues.url),
        .plain("optionalUrl", \.optionalUrl) { $0.chance(60) ? SampleValues.url($0) : nil },
        .plain("mood", \.mood) { $0.pick(.calm, .angry, .élan) },
        .plain("optionalMood", \.optionalMood) { $0.pick(nil, .calm, .angry, .élan) },
        level, optionalLevel,
    ]

    private static let level: FieldProbe<EveryType> = {
        let make: @Sendable (RandomSource) -> Level = { $0.pick(.low, .middle, .high) }
        var probe = FieldProbe<EveryType>.kept(
            "level",
            \.level,
            show: { "\($0)" },
            make: make,
            assign: { $0.set(\.level, to: $1) }
        )
        probe.conditions = [
            { random in
                let value = make(random)
                return PairedCondition(
                    "level == \(value)",
                    { $0.level == value },
                    build: {
                        $0.level == value
                    }
                )
            },
            { random in
                let values = random.list(upTo: 2, make)
                return PairedCondition(
                    "level in \(values)",
                    { values.contains($0.level) },
                    build: {
                        $0.level.isIn(values)
                    }
                )
            },
        ]
        return probe
    }()

    private static let optionalLevel: FieldProbe<EveryType> = {
        let make: @Sendable (RandomSource) -> Level? = { $0.pick(nil, .low, .high) }
        var probe = FieldProbe<EveryType>.kept(
            "optionalLevel",
            \.optionalLevel,
            show: { $0.map { "\($0)" } ?? "nil" },
            make: make,
            assign: { $0.set(\.optionalLevel, to: $1) }
        )
        probe.conditions = [
            { random in
                let value = make(random)
                return PairedCondition(
                    "optionalLevel != \(value.map { "\($0)" } ?? "nil")",
                    { $0.optionalLevel != value },
                    build: { $0.optionalLevel != value }
                )
            }
        ]
        return probe
    }()
}
