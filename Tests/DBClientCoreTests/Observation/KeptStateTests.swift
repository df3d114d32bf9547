import DBClientTesting
import Foundation
import Testing

@testable import DBClientCore

/// What is kept of values that come and go is what a fresh computation makes of those that are there.
@Suite("States that are kept from changes")
struct KeptStateTests {
    private static let entity = EntitySchema(
        name: "Kept",
        fields: [
            FieldSchema(name: "id", type: .integer(bits: 64, signed: true), isOptional: true),
            FieldSchema(name: "real", type: .double, isOptional: true),
            FieldSchema(name: "decimal", type: .decimal, isOptional: true),
        ],
        primaryKey: [0],
        keyGeneration: .given,
        indexes: [],
        failure: nil
    )

    private func draw(_ random: RandomSource, _ column: Int) throws -> StorageValue {
        switch column {
        case 0: .integer(random.pick(0, 1, -7, .max, .min, Int64(random.below(1_000))))
        case 1:
            .real(
                random.pick(
                    0,
                    0.1,
                    -0.1,
                    1e300,
                    -1e300,
                    .leastNonzeroMagnitude,
                    .greatestFiniteMagnitude,
                    Double(random.below(1_000)) / 7,
                    random.chance(3) ? .infinity : 1,
                    random.chance(3) ? -.infinity : 2
                )
            )
        default:
            try StorageValue(
                storing: random.pick(
                    Decimal(0),
                    Decimal(-1) / 8,
                    Decimal(random.below(100_000)) / 100,
                    Decimal(string: "12345678901234567890.5")!,
                    Decimal(sign: .minus, exponent: 60, significand: 3)
                )
            )
        }
    }

    @Test(arguments: 0..<3)
    func aSumIsThatOfWhatIsInIt(_ column: Int) throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            let random = RandomSource(seed: seed)
            var sum = RemovableSum()
            var values: [StorageValue] = []
            for _ in 0..<300 {
                if random.chance(45), !values.isEmpty {
                    let value = values.remove(at: random.below(values.count))
                    value.withSlot { sum.remove($0) }
                } else {
                    let value = try random.chance(5) ? .null : draw(random, column)
                    values.append(value)
                    value.withSlot { sum.add($0) }
                }
                for function in [AggregateFunction.sum, .average] {
                    var fresh = FieldAggregate(function)
                    for value in values { value.withSlot { fresh.add($0) } }
                    #expect(
                        text { try sum.result(function, Self.entity, Self.entity.fields[column]) }
                            == text { try fresh.result(Self.entity, column) },
                        "seed \(seed)"
                    )
                }
            }
        }
    }

    private func text(_ value: () throws -> StorageValue) -> String {
        do {
            guard case .real(let real) = try value() else { return "\(try value())" }
            return real.isNaN ? "nan" : "\(real.bitPattern)"
        } catch {
            return "\((error as? DBClientError)?.code as Any)"
        }
    }

    @Test func aLongNegativeSumOfDecimalsStaysSmall() throws {
        var sum = DecimalSum()
        let value = try StorageValue(storing: Decimal(-3))
        for _ in 0..<200_000 {
            value.withSlot { sum.add($0.bytes) }
            value.withSlot { sum.remove($0.bytes) }
            value.withSlot { sum.add($0.bytes) }
        }
        #expect(try sum.value == StorageValue(storing: Decimal(-600_000)))
        #expect(MemoryLayout<DecimalSum>.size < 64)
    }

    @Test(arguments: [false, true])
    func anExtremeIsThatOfWhatIsThere(isGreatest: Bool) {
        for seed in 1...20 as ClosedRange<UInt64> {
            let random = RandomSource(seed: seed)
            var extreme = KeptExtreme(isGreatest: isGreatest)
            var values: [Int64] = []
            for step in 0..<2_000 {
                // It grows first and shrinks then.
                if random.chance(step < 1_000 ? 30 : 70), !values.isEmpty {
                    extreme.remove(.integer(values.remove(at: random.below(values.count))))
                } else {
                    values.append(Int64(random.below(50)))
                    extreme.add(.integer(values[values.count - 1]))
                }
                let expected = isGreatest ? values.max() : values.min()
                #expect(extreme.value() == expected.map { .integer($0) } ?? .null)
            }
        }
    }

    @Test func whatWentBeforeItCameIsGone() {
        var extreme = KeptExtreme(isGreatest: false)
        extreme.add(.integer(5))
        // The rows of one commit come in any order.
        extreme.remove(.integer(1))
        extreme.add(.integer(1))
        #expect(extreme.value() == .integer(5))
    }
}
