/// Puts the values of one model in the place of those of another.
struct ModelReplacement<Former: Stored, Model: Stored>: Sendable {
    private let transform: @Sendable (Former) throws -> Model?

    init(_ transform: @escaping @Sendable (Former) throws -> Model?) {
        self.transform = transform
    }

    private var former: EntitySchema { Former.schema.entity }
    private var entity: EntitySchema { Model.schema.entity }

    /// What nobody else may write to meanwhile: it would be lost with what is replaced.
    var reserved: [EntitySchema] { [former] + former.relationships.compactMap { $0.link?.entity } }

    /// How many values are converted between two calls that tell of it.
    private static var stride: Int { 1_024 }

    /// Returns what would be changed; nil where what is stored is not of the former model.
    func change(in reader: any EngineReader) throws -> MigrationChange? {
        try former.validate()
        try entity.validate()
        // A field that neither model has would be lost.
        guard let difference = try reader.difference(from: former), difference.fits,
            difference.surplus.isEmpty
        else { return nil }
        if former.exactName == entity.exactName, try isConverted(in: reader) { return nil }
        let count = try reader.count(RowQuery(former))
        return MigrationChange(entity.name, [.converted(from: former.name, count: count)])
    }

    /// Whether what is stored has the shape of the new model, and no field of the former one beside it.
    private func isConverted(in reader: any EngineReader) throws -> Bool {
        guard let difference = try reader.difference(from: entity), difference.fits else {
            return false
        }
        return !difference.surplus.contains { former.position(of: $0) != nil }
    }

    func run(_ run: MigrationRun) throws {
        let values = try run.transaction.fetch(Former.all)
        var converted: [Model] = []
        converted.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            if index % Self.stride == 0 { run.advance(Double(index) / Double(values.count) / 2) }
            if let model = try transform(value) { converted.append(model) }
        }
        try run.replace(former, with: entity)
        run.advance(0.5)
        try run.transaction.insert(converted)
    }
}
