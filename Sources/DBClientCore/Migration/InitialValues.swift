import Foundation

/// The initial values of properties, as the model says.
struct InitialValues<Model: Stored> {
    /// The initial values of fields, by the fields' positions.
    private(set) var values: [Int: StorageValue] = [:]
    /// The initial values of those of the fields that are relationships.
    private(set) var branches: [RelationshipValues] = []
    /// The fields that begin with another value each time, such as the present or a random number.
    ///
    /// Stored values cannot get one of them, which would be the same for all.
    private(set) var changing: Set<Int> = []

    init(of fields: [Int]) throws {
        (values, branches) = try Self.evaluate(fields)
        if values.isEmpty { return }
        // Several times, since a random number may be the same twice, and apart from each other, since
        // clocks have ticks.
        for _ in 0..<4 {
            Thread.sleep(forTimeInterval: 0.000_5)
            let again = try Self.evaluate(fields).values
            changing.formUnion(values.keys.filter { values[$0] != again[$0] })
        }
        for column in changing { values[column] = nil }
    }

    /// Returns the values as they are kept, without those that cannot be.
    fileprivate var kept: [Int: StorageValue] {
        let entity = Model.schema.entity
        return Dictionary(
            uniqueKeysWithValues: values.compactMap { column, value in
                (try? entity.rounded(value, of: column)).map { (column, $0) }
            }
        )
    }

    private static func evaluate(
        _ fields: [Int]
    ) throws -> (values: [Int: StorageValue], branches: [RelationshipValues]) {
        let schema = Model.schema
        let missing = Set(fields)
        var values: [Int: StorageValue] = [:]
        func take(_ buffer: AssignmentBuffer, where isTaken: (Int) -> Bool) throws {
            defer { withExtendedLifetime(buffer) {} }
            // What varies may be the same once it is rounded.
            guard let assigned = try buffer.finish(isRounded: false) else { return }
            for column in assigned.columns where missing.contains(column) && isTaken(column) {
                values[column] = StorageValue(assigned.values[0, column])
            }
        }
        // Of structs within each other the inner ones come first. What an outer one begins with counts
        // where nothing of it is stored.
        for start in schema.embedded.starting {
            let buffer = try AssignmentBuffer(schema.entity)
            try start.tell { columns, write in
                guard columns.allSatisfy(missing.contains) else { return }
                try buffer.set(columns.lowerBound, write)
            }
            try take(buffer) { _ in true }
        }
        let buffer = try AssignmentBuffer(schema.entity)
        var assignments = Assignments<Model>(buffer)
        schema.defaults?(&assignments)
        let ranges = schema.embedded.ranges
        try take(buffer) { column in
            ranges.allSatisfy { !$0.contains(column) || $0.allSatisfy(missing.contains) }
        }
        // A struct that is absent has no fields.
        for (column, presence) in schema.embedded.presences
        where missing.contains(presence.column) && values[presence.column]?.isNull ?? true {
            values[column] = nil
        }
        return (values, buffer.relationships)
    }
}

extension InitialValues {
    /// Returns what the fields beside the key begin with, as far as that is one value for all; none where an initial
    /// value cannot be stored.
    static func constants() -> [Int: StorageValue] {
        let initial = try? InitialValues(of: Model.schema.entity.columnsBesideKey)
        return initial?.kept.filter { !$0.value.isNull } ?? [:]
    }
}

extension EmbeddedFields {
    /// The columns of each property, of those of several columns with what is in them.
    fileprivate var ranges: [Range<Int>] {
        positions.compactMap { keyPath, first in widths[keyPath].map { first..<first + $0 } }
    }
}
