import Foundation

/// The relationships that a store knows of, by what they lead to.
///
/// The store itself keeps them, in an entity like any other, from the first write of a value that has
/// some. So the rules of deletion hold in a process that never heard of the model that refers, and
/// there is nothing to announce between clients: a transaction reads the few rows when it first needs
/// them, and no other can change them while it writes.
///
/// A transaction has one, which its savepoints, its live rows and its calls by stored names share. Code that
/// undoes a savepoint calls ``forget()``, for what was kept in it is no longer kept.
final class RelationshipRegistry {
    /// A relationship and the entity that has it.
    struct Referrer {
        let owner: EntitySchema
        let relationship: RelationshipSchema
    }

    private var texts: [StorageValue: String] = [:]
    private(set) var owners: [EntitySchema] = []
    private var isRead = false
    /// What it takes the rules of the models over with that the client uses, before it tells what the store has; nil
    /// where it does not.
    private let writer: (any EngineWriter)?
    /// Whether the transaction has written here, so that what it reads may be undone with it.
    private var hasWritten = false

    /// Creates one that has read nothing.
    init(takingOverWith writer: (any EngineWriter)? = nil) {
        self.writer = writer
    }

    /// Forgets what was read and kept, so that the store is asked again.
    func forget() {
        texts = [:]
        owners = []
        isRead = false
    }

    /// Keeps an entity's relationships, unless the store has them as they are.
    ///
    /// Where it has other rules for the same relationships, which came from another client after this one had its
    /// own taken over, those stay.
    ///
    /// An entity without any that looks like links is kept too, so that no relationship takes its name.
    ///
    /// - Throws: `.schemaMismatch` when two of them would be kept under one name.
    func register(_ entity: EntitySchema, with writer: any EngineWriter) throws {
        guard !entity.isFlat || entity.resemblesLinks else { return }
        try read(writer)
        let usage = writer.usage
        usage?.note(entity)
        let name = StorageValue.text(entity.name)
        let text = try RelationshipCache.text(of: entity)
        if texts[name] == text { return }
        if let usage, !usage.isWaiting(entity),
            owners.contains(where: { $0.differsInRulesAlone(from: entity) })
        {
            return
        }
        try checkNames(of: entity)
        usage?.noteWrite(of: entity, replacing: texts[name])
        try keep(text, of: entity, with: writer)
    }

    /// Takes over the rules of the models that the client has come to use, as far as something is stored of them.
    private func takeOver(with writer: any EngineWriter) throws {
        guard let usage = writer.usage else { return }
        for entity in usage.waiting {
            let text = try RelationshipCache.text(of: entity)
            let kept = texts[StorageValue.text(entity.name)]
            if kept == text || usage.isOutdated(entity, by: kept) {
                if !hasWritten { usage.settle(entity) }
            } else if (try? checkNames(of: entity)) == nil {
                // The first write of a value tells of it.
                usage.settle(entity)
            } else if try writer.isStored(entity) {
                usage.noteWrite(of: entity, replacing: kept)
                try keep(text, of: entity, with: writer)
            } else {
                usage.postpone(entity)
            }
        }
        for entity in usage.unkept { note(try RelationshipCache.text(of: entity), of: entity) }
    }

    /// Throws what ``adapt(to:surplus:with:)`` would throw after the fields of an entity were changed.
    func checkAdaptation(
        to entity: EntitySchema,
        surplus: [String],
        in reader: any EngineReader
    ) throws {
        try read(reader)
        guard let owner = owners.first(where: { $0.exactName == entity.exactName }) else { return }
        _ = try owner.relationships(in: entity, surplus: surplus)
    }

    /// Makes what is kept of an entity fit it after its fields were changed.
    ///
    /// A relationship whose columns are gone goes with them, and every other stays, be the model one that
    /// has none.
    ///
    /// - Parameters:
    ///   - entity: The entity as it is now.
    ///   - surplus: The names of stored fields that it lacks.
    ///   - writer: The engine's side of the transaction.
    /// - Throws: `.migrationRequired` when the columns of a relationship no longer stand side by side.
    func adapt(
        to entity: EntitySchema,
        surplus: [String],
        with writer: any EngineWriter
    ) throws {
        try read(writer)
        guard let owner = owners.first(where: { $0.exactName == entity.exactName }) else { return }
        let adapted = try owner.relationships(in: entity, surplus: surplus).taking(
            entity.relationships
        )
        if adapted.relationships.isEmpty && !entity.resemblesLinks {
            _ = try remove(entity, with: writer)
            forget()
            return
        }
        let text = try RelationshipCache.text(describing: adapted)
        guard let kept = RelationshipCache.entity(of: text) else { throw Self.damage(entity.name) }
        try keep(text, of: kept, with: writer)
    }

    /// Returns the relationships of an entity of which the store keeps another rule, or something else that they
    /// hold.
    func changedRules(of entity: EntitySchema, in reader: any EngineReader) throws -> [String] {
        guard let kept = try kept(entity, in: reader) else { return [] }
        return entity.relationships.filter { relationship in
            !kept.relationships.contains {
                $0.name == relationship.name && $0.isAlike(relationship)
            }
        }
        .map(\.name)
    }

    /// Keeps an entity's relationships in the store; where that may not be, for the client alone.
    private func keep(
        _ text: String,
        of entity: EntitySchema,
        with writer: any EngineWriter
    ) throws {
        hasWritten = true
        guard try writer.mayKeep(Self.entity) else {
            writer.usage?.keepHere(entity)
            return note(text, of: entity)
        }
        let rows = RowBuffer(Self.entity)
        var row = try rows.beginRow()
        try row.put(text: entity.name)
        try row.put(text: text)
        try rows.endRow(row)
        try writer.upsert(rows) { _, _ in }
        note(text, of: entity)
    }

    private func note(_ text: String, of entity: EntitySchema) {
        let name = StorageValue.text(entity.name)
        texts[name] = text
        owners.removeAll { StorageValue.text($0.name) == name }
        owners.append(entity)
    }

    /// Returns an entity as the store keeps it with its relationships; nil where it keeps none.
    func kept(_ entity: EntitySchema, in reader: any EngineReader) throws -> EntitySchema? {
        try read(reader)
        return owners.first { $0.exactName == entity.exactName }
    }

    /// Returns the relationships that lead to an entity.
    func referrers(of entity: EntitySchema, in reader: any EngineReader) throws -> [Referrer] {
        try read(reader)
        if owners.isEmpty { return [] }
        let name = StorageValue.text(entity.name)
        return try owners.flatMap { owner in
            try owner.relationships.filter { StorageValue.text($0.targetName) == name }
                .map { relationship in
                    guard relationship.holdsKeys(of: entity, in: owner) else {
                        throw Self.damage(owner.name, relationship.name)
                    }
                    return Referrer(owner: owner, relationship: relationship)
                }
        }
    }

    /// Returns the to-many relationships that values of an entity have, whether or not the model at
    /// hand knows of them.
    func links(of entity: EntitySchema, in reader: any EngineReader) throws -> [LinkSchema] {
        try relationships(of: entity, in: reader).compactMap(\.link)
    }

    /// Returns the relationships that values of an entity have, whether or not the model at hand knows of
    /// them.
    func relationships(
        of entity: EntitySchema,
        in reader: any EngineReader
    ) throws -> [RelationshipSchema] {
        try read(reader)
        let name = StorageValue.text(entity.name)
        let owner = owners.first { StorageValue.text($0.name) == name } ?? entity
        guard owner.keyKinds == entity.keyKinds else { throw Self.damage(owner.name) }
        return owner.relationships
    }

    /// Whether the store knows of a relationship of an entity.
    func knows(_ name: String, of entity: EntitySchema, in reader: any EngineReader) throws -> Bool
    {
        try read(reader)
        return owners.contains { owner in
            owner.exactName == entity.exactName
                && owner.relationships.contains { $0.name.utf8.elementsEqual(name.utf8) }
        }
    }

    /// Takes an entity's relationships out of the store, and returns the links of its values.
    func remove(_ entity: EntitySchema, with writer: any EngineWriter) throws -> [LinkSchema] {
        try read(writer)
        let name = StorageValue.text(entity.name)
        guard let owner = owners.first(where: { StorageValue.text($0.name) == name }) else {
            return entity.relationships.compactMap(\.link)
        }
        let keys = RowBuffer(Self.entity, columns: [0])
        var key = try keys.beginRow()
        try key.put(text: entity.name)
        try keys.endRow(key)
        _ = try keys.withBatch { try writer.delete(Self.entity, keys: $0) }
        return owner.relationships.compactMap(\.link)
    }

    /// Throws when another entity has a relationship that leads to an entity.
    func checkNothingHolds(_ entity: EntitySchema, in reader: any EngineReader) throws {
        try read(reader)
        let name = StorageValue.text(entity.name)
        for owner in owners where StorageValue.text(owner.name) != name {
            for relationship in owner.relationships
            where StorageValue.text(relationship.targetName) == name {
                throw DBClientError(
                    .deletionDenied,
                    "\(entity.name) must not be deleted while another entity has a relationship to it.",
                    entity: owner.name,
                    field: relationship.name,
                    hint: "First delete that entity, or save it with a model that has none."
                )
            }
        }
    }

    private static func damage(_ entity: String, _ field: String? = nil) -> DBClientError {
        DBClientError(
            .corrupt,
            "The store's description of an entity's relationships is damaged.",
            entity: entity,
            field: field
        )
    }

    private func read(_ reader: any EngineReader) throws {
        if isRead { return }
        // What an interrupted read has found is discarded.
        forget()
        try reader.scan(RowQuery(Self.entity)) { batch in
            for row in 0..<batch.count {
                let text = batch[row, 1].text
                let name = StorageValue(batch[row, 0])
                guard let owner = RelationshipCache.entity(of: text),
                    StorageValue.text(owner.name) == name
                else { throw Self.damage(batch[row, 0].text) }
                texts[name] = text
                owners.append(owner)
            }
            return true
        }
        isRead = true
        if let writer { try takeOver(with: writer) }
    }

    /// Where a store keeps them: a row for each entity that has relationships.
    static let entity = EntitySchema(
        name: "dbclient_relationships",
        fields: [
            FieldSchema(name: "entity", type: .text, isOptional: false),
            FieldSchema(name: "description", type: .json, isOptional: false),
        ],
        primaryKey: [0],
        keyGeneration: .given,
        indexes: [],
        failure: nil
    )
}

extension RelationshipSchema {
    /// Whether what the relationship keeps of a value can be the primary key of an entity.
    fileprivate func holdsKeys(of target: EntitySchema, in owner: EntitySchema) -> Bool {
        let fields =
            link.map { link in link.target.map { link.entity.fields[$0] } }
            ?? columns.map { owner.fields[$0] }
        return fields.map(\.type.slotKind) == target.keyKinds
    }
}

extension EntitySchema {
    /// The kinds of slots that make up a primary key.
    fileprivate var keyKinds: [Slot.Kind] { primaryKey.map { fields[$0].type.slotKind } }
}

/// Descriptions of entities, coded and decoded once in a process.
///
/// A decoded entity lives as long as the process, as engines ask of entities, and a model's own is
/// preferred to one made of its description.
private enum RelationshipCache {
    private struct State {
        var texts: [ObjectIdentifier: String] = [:]
        var entities: [StorageValue: EntitySchema] = [:]
    }

    private static let state = UnfairMutex(State())

    static func text(of entity: EntitySchema) throws -> String {
        if let text = state.withLock({ $0.texts[ObjectIdentifier(entity)] }) { return text }
        let text = try text(describing: entity)
        state.withLock { state in
            state.texts[ObjectIdentifier(entity)] = text
            state.entities[.text(text)] = entity
        }
        return text
    }

    /// Codes an entity that need not live as long as the process.
    static func text(describing entity: EntitySchema) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(StoredRelationships(entity))
        return String(decoding: json, as: UTF8.self)
    }

    static func entity(of text: String) -> EntitySchema? {
        if let known = state.withLock({ $0.entities[.text(text)] }) { return known }
        let decoded = try? JSONDecoder().decode(StoredRelationships.self, from: Data(text.utf8))
        guard let entity = decoded?.schema() else { return nil }
        return state.withLock { state in
            if let known = state.entities[.text(text)] { return known }
            state.entities[.text(text)] = entity
            return entity
        }
    }
}
