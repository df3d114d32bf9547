import Foundation
import Testing

@testable import DBClientCore

/// The order of the keys' bytes must be the order that `RowComparator` gives rows.
struct OrderKeyTests {
    private static let values: [StorageValue] = [
        .null, .integer(.min), .integer(-1), .integer(0), .integer(1), .integer(.max),
    ]
    private static let reals: [StorageValue] = [
        .null, .real(-.infinity), .real(-1.5), .real(-.leastNonzeroMagnitude), .real(0),
        .real(.leastNonzeroMagnitude), .real(2), .real(.infinity),
    ]
    private static let texts: [StorageValue] = [
        .null, .text(""), .text("A"), .text("AA"), .text("B"), .text("a"), .text("ab"), .text("b"),
        .text("é"), .text("\u{10FFFF}"), .text("\u{1}"),
    ]
    private static let data: [StorageValue] = [
        .null, .data([]), .data([0]), .data([0, 0]), .data([0, 1]), .data([0, 255]), .data([1]),
        .data([255]), .data([255, 0]), .data([255, 255]),
    ]

    private static let entity = EntitySchema(
        name: "Sample",
        fields: [
            FieldSchema(name: "first", type: .json, isOptional: true),
            FieldSchema(name: "key", type: .integer(bits: 64, signed: true), isOptional: false),
        ],
        primaryKey: [1],
        keyGeneration: .given,
        indexes: [],
        failure: nil
    )

    @Test("Keys are ordered like rows", arguments: [values, reals, texts, data])
    func ordersLikeRows(_ values: [StorageValue]) {
        for isDescending in [false, true] {
            for nilsFirst in [false, true] {
                // Only text has other orders than that of its bytes.
                let isText = values.contains(.text("a"))
                for text in isText ? [TextOrder.binary, .caseInsensitive, .natural] : [.binary] {
                    let ordering = RowOrdering(
                        column: 0,
                        isDescending: isDescending,
                        nilsFirst: nilsFirst,
                        text: text
                    )
                    check(values, ordering)
                }
            }
        }
    }

    private func check(_ values: [StorageValue], _ ordering: RowOrdering) {
        let query = RowQuery(Self.entity, orderings: [ordering])
        let encoder = OrderKeyEncoder(query)
        let comparator = RowComparator(query.totalOrder)
        for (leftKey, left) in values.enumerated() {
            for (rightKey, right) in values.enumerated() {
                left.withSlot { left in
                    right.withSlot { right in
                        // Equal values are told apart by the primary key.
                        let rows = [
                            left, .integer(Int64(leftKey)), right, .integer(Int64(rightKey)),
                        ]
                        rows.withUnsafeBufferPointer { slots in
                            let first = RowBatch(
                                slots: slots.baseAddress!,
                                columnCount: 2,
                                count: 2,
                                entity: Self.entity
                            )
                            let order = encoder.key(of: first, row: 0)
                                .compare(encoder.key(of: first, row: 1))
                            let expected = comparator.compare(
                                slots.baseAddress!,
                                slots.baseAddress! + 2
                            )
                            #expect(order.signum() == expected.signum())
                        }
                    }
                }
            }
        }
    }

    @Test("The end of a key is the row's identity, whatever the sort")
    func endsWithIdentity() {
        let query = RowQuery(Self.entity, orderings: [RowOrdering(column: 0)])
        let plain = RowQuery(Self.entity)
        [Slot.integer(7), .integer(9)].withUnsafeBufferPointer { slots in
            let row = RowBatch(
                slots: slots.baseAddress!,
                columnCount: 2,
                count: 1,
                entity: Self.entity
            )
            let key = OrderKeyEncoder(query).key(of: row)
            #expect(key.identity == OrderKeyEncoder(plain).key(of: row).identity)
            #expect(key.identity.count < key.bytes.count)
        }
    }
}
