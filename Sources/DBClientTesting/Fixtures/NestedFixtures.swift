import DBClientCore
import Foundation

/// Holds collections in collections, an enum with associated values, and structs in structs.
struct Nested: Stored, Equatable {
    let id: Int
    var matrix: [[Int?]]
    var groups: [String: [Set<Int>]]
    var deepest: [[[String: [Date?]]]]?
    var shape: Shape
    var shapes: [String: [Shape?]]
    var address: Address
    var second: Address?

    /// An enum whose cases carry values.
    enum Shape: Codable, Equatable, Sendable {
        case point
        case circle(radius: Double)
        case path([Place], isClosed: Bool)
        indirect case group([Shape])

        /// A value inside a value.
        struct Place: Codable, Equatable, Sendable {
            var name: String
            var at: [Double]
        }
    }

    /// A struct of columns that holds another.
    struct Address: EmbeddedValue, Equatable {
        var street: String
        var place: Place
        var former: Place?

        static let schema = EmbeddedSchema<Address>(fields: [
            .field(\.street, "street", index: .plain),
            .field(\.place, "place"),
            .field(\.former, "former"),
        ])

        init(_ street: String, _ place: Place, former: Place? = nil) {
            self.street = street
            self.place = place
            self.former = former
        }

        init(row: inout RowReader) throws {
            street = try row.read()
            place = try row.read()
            former = try row.read()
        }

        func write(to row: inout RowWriter) throws {
            try row.write(street)
            try row.write(place)
            try row.write(former)
        }
    }

    init(
        _ id: Int,
        matrix: [[Int?]] = [],
        groups: [String: [Set<Int>]] = [:],
        deepest: [[[String: [Date?]]]]? = nil,
        shape: Shape = .point,
        shapes: [String: [Shape?]] = [:],
        address: Address = Address("", Place("")),
        second: Address? = nil
    ) {
        self.id = id
        self.matrix = matrix
        self.groups = groups
        self.deepest = deepest
        self.shape = shape
        self.shapes = shapes
        self.address = address
        self.second = second
    }

    static let schema = Schema<Nested>(
        name: "Nested",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.matrix, "matrix"),
            .field(\.groups, "groups"),
            .field(\.deepest, "deepest"),
            .field(\.shape, "shape"),
            .field(\.shapes, "shapes"),
            .field(\.address, "address"),
            .field(\.second, "second"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        matrix = try row.read()
        groups = try row.read()
        deepest = try row.read()
        shape = try row.read()
        shapes = try row.read()
        address = try row.read()
        second = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(matrix)
        try row.write(groups)
        try row.write(deepest)
        try row.write(shape)
        try row.write(shapes)
        try row.write(address)
        try row.write(second)
    }
}
