import DBClientCore
import Foundation

/// A model with a field of each kind that records keep.
@Stored
struct FuzzedModel: Equatable {
    let id: Int
    var name: String
    var note: String?
    var isDone: Bool
    var weight: Double?
    var price: Decimal
    var due: Date?
    var token: UUID
    var bytes: Data
    var tags: [String]

    static let samples = [
        FuzzedModel(
            id: -5,
            name: "",
            note: nil,
            isDone: true,
            weight: 2.5,
            price: 12.75,
            due: Date(timeIntervalSince1970: 1_000),
            token: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
            bytes: Data([1, 0, 2]),
            tags: ["a", "é"]
        ),
        FuzzedModel(
            id: 7,
            name: "a name that is longer than a few bytes",
            note: "note",
            isDone: false,
            weight: nil,
            price: -1,
            due: nil,
            token: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
            bytes: Data(),
            tags: []
        ),
    ]

    /// Returns rows of values.
    static func rows(_ values: [FuzzedModel]) throws -> RowBuffer {
        let buffer = RowBuffer(schema.entity)
        for value in values {
            var row = try buffer.beginRow()
            try value.write(to: &row)
            try buffer.endRow(row)
        }
        return buffer
    }
}
