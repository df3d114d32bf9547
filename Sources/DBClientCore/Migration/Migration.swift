/// One step that makes a store fit the models of a program.
///
/// A step compares the stored shape with its models and changes what differs; where nothing differs, or
/// nothing is stored, it does nothing. So a program runs the same steps each time that it starts:
///
/// ```swift
/// try await client.migrate([
///     .adapt(Hero.self) { $0.set(\.power, to: 1) },
///     .convert(FormerTeam.self, to: Team.self) { Team(id: $0.id, names: [$0.name]) },
///     .delete("Villain"),
/// ])
/// ```
public struct Migration: Sendable {
    /// The entity that is stored before the step; nil where it concerns none.
    let source: EntitySchema?
    /// The entity of the model that the step leads to, if it leads to one.
    let target: EntitySchema?
    /// The entities that no other transaction may write to while the step runs.
    var reserved: [EntitySchema] = []
    /// Returns what the step would change; nil when there is nothing to change or nothing of its own.
    let change: @Sendable (any EngineReader) throws -> MigrationChange?
    /// Returns the statements of a relational engine that would change shapes, as far as they are known before; none is
    /// the default.
    var statements: @Sendable (any EngineReader) throws -> [String] = { _ in [] }
    let run: @Sendable (MigrationRun) throws -> Void
}

extension Migration {
    /// Adapts the stored shape of a model to it, without touching the values of other fields: new properties
    /// are added, and properties that became optional may be absent.
    ///
    /// In the stored values, a new property gets the value that the closure sets, or else its initial value
    /// in the model, where that is a literal or a case, or else nil; one that is not optional must get one of
    /// the first two.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - removed: The stored names of fields to be removed with their values, which the model no longer
    ///     has.
    ///   - assign: Sets new properties of the stored values.
    /// - Returns: The step.
    public static func adapt<Model: Stored>(
        _ model: Model.Type,
        removing removed: [String] = [],
        _ assign: @escaping @Sendable (inout Assignments<Model>) throws -> Void = { _ in }
    ) -> Migration {
        let adaptation = Adaptation(model, removing: removed, assign)
        return Migration(
            source: Model.schema.entity,
            target: Model.schema.entity,
            change: { try adaptation.change(in: $0) },
            statements: { try adaptation.statements(in: $0) },
            run: { try adaptation.run($0) }
        )
    }

    /// Adapts the stored shape of an entity to it, for a program without its model.
    ///
    /// New fields are absent from the stored values, so they must be optional. Relationships stay as the store keeps
    /// them. What is not stored yet is left to the first write.
    ///
    /// - Parameters:
    ///   - entity: The entity, such as one that ``EntityCatalog/init(schemaText:)`` has read.
    ///   - removed: The stored names of fields to be removed with their values, which the entity no longer has.
    /// - Returns: The step.
    public static func adapt(_ entity: EntitySchema, removing removed: [String] = []) -> Migration {
        let adaptation = EntityAdaptation(entity, removing: removed)
        return Migration(
            source: entity,
            target: entity,
            change: { try adaptation.change(in: $0) },
            statements: { try adaptation.statements(in: $0) },
            run: { try adaptation.run($0) }
        )
    }

    /// Converts the values of a former model, where the stored shape is that of the former and not of the new
    /// one.
    ///
    /// Both models may have one stored name; several steps may lead from one version to the next. All values,
    /// and what they hold, are in memory meanwhile. What other values hold through relationships stays, and
    /// no rule of deletion applies. Under one name, generated keys continue after those of the former values.
    ///
    /// - Parameters:
    ///   - former: The model as it was.
    ///   - model: The model that takes its place.
    ///   - transform: Returns the new value of a former one, or nil to leave it out.
    /// - Returns: The step.
    public static func convert<Former: Stored, Model: Stored>(
        _ former: Former.Type,
        to model: Model.Type,
        _ transform: @escaping @Sendable (Former) throws -> Model?
    ) -> Migration {
        let conversion = ModelReplacement(transform)
        return Migration(
            source: Former.schema.entity,
            target: Model.schema.entity,
            reserved: conversion.reserved,
            change: { try conversion.change(in: $0) },
            run: { try conversion.run($0) }
        )
    }

    /// Deletes everything that is stored under the name of an entity that no model has any longer.
    public static func delete(_ name: String) -> Migration {
        let entity = EntitySchema.named(name)
        return Migration(
            source: entity,
            target: nil,
            change: { reader in
                try reader.difference(from: entity).map { _ in MigrationChange(name, [.deleted]) }
            },
            run: { run in
                try RelationshipRegistry().checkNothingHolds(entity, in: run.writer)
                try run.drop(entity)
            }
        )
    }

    /// Runs a body once in the life of a store, which keeps the name of what it has run.
    ///
    /// For changes that the shape of values does not show, such as a field that is filled from another.
    public static func perform(
        _ name: String,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Void
    ) -> Migration {
        Migration(
            source: nil,
            target: nil,
            change: { reader in
                try PerformedSteps.contain(name, in: reader)
                    ? nil : MigrationChange(name, [.performed])
            },
            run: { run in
                try body(run.transaction)
                // Live rows that the body changed are written before a next step changes their shape.
                _ = try run.transaction.reader()
                try PerformedSteps.insert(name, with: run.writer)
            }
        )
    }
}

extension EntitySchema {
    /// A name under which something may be stored, and nothing more.
    fileprivate static func named(_ name: String) -> EntitySchema {
        EntitySchema(
            name: name,
            fields: [],
            primaryKey: [],
            keyGeneration: .given,
            indexes: [],
            failure: nil
        )
    }
}
