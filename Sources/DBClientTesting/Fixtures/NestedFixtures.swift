import DBClientCore
import Foundation

/// Holds collections in collections, an enum with associated values, and structs in structs.
@Stored struct Nested: Equatable {
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

        /// A value within the JSON of another.
        struct Place: Codable, Equatable, Sendable {
            var name: String
            var at: [Double]
        }
    }

    /// A struct of columns that holds another.
    @Embedded struct Address: Equatable {
        @Indexed var street: String
        var place: Place
        var former: Place?

        init(_ street: String, _ place: Place, former: Place? = nil) {
            self.street = street
            self.place = place
            self.former = former
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
}
