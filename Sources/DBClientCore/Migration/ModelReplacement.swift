/// Puts the values of one model in the place of those of another.
struct ModelReplacement<Former: Stored, Model: Stored>: Sendable {
    private let transform: @Sendable (Former) throws -> Model?

    init(_ transform: @escaping @Sendable (Former) throws -> Model?) {
        self.transform = transform
    }

    private var former: EntitySchema { Former.schema.entity }
    private var entity: EntitySchema { Model.schema.entity }

    /// The entities that no other transaction may write to meanwhile: the write would be lost with what is
    /// replaced.
    var reserved: [EntitySchema] { [former] + former.relationships.compactMap { $0.link?.entity } }

    /// How many values are converted between two reports of progress.
    private static var stride: Int { 1_024 }

    /// Returns what would be changed; nil where what is stored is not of the former model.
    func change(in reader: any EngineReader) throws -> MigrationChange? {
        try former.validate()
        try entity.validate()
        try checkDiffers()
        // A field that neither model has would be lost.
        guard let difference = try reader.difference(from: former), difference.fits,
            difference.surplus.isEmpty
        else { return nil }
        if former.exactName == entity.exactName, try isConverted(in: reader) { return nil }
        let count = try reader.count(RowQuery(former))
        return MigrationChange(entity.name, [.converted(from: former.name, count: count)])
    }

    /// Whether what is stored was written by the new model, as far as both fit it.
    ///
    /// The store knows what wrote it. Where it does not, or knows no more than the name of a type that either model
    /// may have had, the values themselves are tried.
    private func isConverted(in reader: any EngineReader) throws -> Bool {
        guard let difference = try reader.difference(from: entity), difference.fits,
            !difference.surplus.contains(where: { former.position(of: $0) != nil })
        else { return false }
        if former.heldKinds != entity.heldKinds {
            let kept = try RelationshipRegistry().kept(entity, in: reader)
            if (kept?.heldKinds ?? []) != entity.heldKinds { return false }
        }
        var isKnown = true
        for (position, field) in entity.fields.enumerated() {
            guard let column = former.position(of: field.name) else { continue }
            let was = former.fields[column]
            if was == field { continue }
            guard let written = difference.written[position] else {
                isKnown = false
                continue
            }
            if was.form.resembles(field.form) {
                if written == was.form && written != field.form { return false }
                if was.form != field.form { isKnown = false }
            } else if !written.resembles(field.form) {
                return false
            }
        }
        return try isKnown || isReadable(in: reader)
    }

    /// Throws when no store can tell the two models apart.
    private func checkDiffers() throws {
        guard entity.isStored(as: former) else { return }
        throw DBClientError(
            .invalidRequest,
            "The two models must be stored differently: it could not be told which of them a store has.",
            entity: entity.name,
            hint: "Change the values in a step with a name: .perform(\"…\") { … }."
        )
    }

    /// Whether the first values that are stored can be read as those of the new model.
    private func isReadable(in reader: any EngineReader) throws -> Bool {
        do {
            let query = RowQuery(entity, limit: Self.stride)
            if entity.isFlat {
                var models: [Model] = []
                try reader.scan(query) { batch in
                    try Model.decode(batch, appendingTo: &models)
                    return true
                }
            } else {
                _ = try RelationshipLoader(reader).fetch(Model.self, query)
            }
            return true
        } catch let error as DBClientError
            where [.decoding, .danglingReference].contains(error.code)
        {
            return false
        }
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

extension EntitySchema {
    /// Whether no store can tell the values of the model from those of another one.
    func isStored(as other: EntitySchema) -> Bool {
        exactName == other.exactName && fields.count == other.fields.count
            && primaryKey.map { fields[$0].name } == other.primaryKey.map { other.fields[$0].name }
            && heldKinds == other.heldKinds
            && fields.allSatisfy { field in
                other.position(of: field.name).map { other.fields[$0] == field } ?? false
            }
    }

    /// The values of other entities that its values contain, and how many of each.
    fileprivate var heldKinds: Set<[String]> {
        Set(relationships.map { [$0.name, $0.kind.rawValue, $0.targetName] })
    }
}
