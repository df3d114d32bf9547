/// Makes the steps of one migration.
struct MigrationRunner {
    let steps: [Migration]
    let policy: MigrationFailurePolicy

    /// Returns whether the steps would change anything, or throw.
    func isNeeded(in reader: any EngineReader) throws -> Bool {
        try checkPath()
        for index in steps.indices {
            do {
                if try change(of: index, in: reader) != nil { return true }
                try checkTarget(of: index, in: reader)
            } catch let error as DBClientError where error.code == .migrationRequired {
                if isLast(index) { return true }
            }
        }
        return false
    }

    /// Returns what the steps would change, as far as that does not depend on one before.
    func changes(in reader: any EngineReader) throws -> [MigrationChange] {
        try checkPath()
        var changes: [MigrationChange] = []
        var changed: Set<EntityName> = []
        var built: Set<EntityName> = []
        for (index, step) in steps.enumerated() {
            // A view is built with those that it is kept from.
            let sources = step.source.map { $0.isView ? $0.views.sources : [$0] } ?? []
            if sources.contains(where: { changed.contains($0.exactName) }) { continue }
            if let view = step.target, view.isView, built.contains(view.exactName) { continue }
            do {
                if let change = try change(of: index, in: reader) {
                    changes.append(change)
                    changed.formUnion([step.source, step.target].compactMap { $0?.exactName })
                    if let target = step.target, try buildsViews(index, in: reader) {
                        let kept = try EntityViews.network(of: target).kept
                        built.formUnion(kept.map(\.entity.exactName))
                    }
                } else {
                    try checkTarget(of: index, in: reader)
                }
            } catch let error as DBClientError where error.code == .migrationRequired {
                if isLast(index) { throw error }
            }
        }
        return changes
    }

    /// Returns the statements that would change shapes, as far as they do not depend on a step before.
    func statements(in reader: any EngineReader) throws -> [String] {
        let changed = Set(try changes(in: reader).map { EntityName($0.entity) })
        return try steps.flatMap { step -> [String] in
            guard let target = step.target, changed.contains(target.exactName) else { return [] }
            return try step.statements(reader)
        }
    }

    /// Makes the steps and returns what they changed.
    ///
    /// - Parameters:
    ///   - transaction: The transaction.
    ///   - writer: The engine's side of it.
    ///   - progress: Told before and after each change.
    /// - Returns: The changes.
    /// - Throws: What a step that cannot be made throws.
    func run(
        in transaction: WriteTransaction,
        _ writer: any EngineWriter,
        _ progress: (MigrationProgress) -> Void
    ) throws -> [MigrationChange] {
        try checkPath()
        return try withoutActuallyEscaping(progress) { progress in
            try steps.indices.flatMap { index -> [MigrationChange] in
                switch policy {
                case .undo: return try run(index, in: transaction, writer, progress)
                case .deleteStored:
                    do {
                        return try transaction.write { try run(index, in: $0, writer, progress) }
                    } catch {
                        return try delete(index, in: transaction, writer, after: error)
                    }
                }
            }
        }
    }

    /// Throws when the steps lead back to what they lead away from: a store at their end would be converted again at
    /// each start.
    private func checkPath() throws {
        for (index, step) in steps.enumerated() {
            guard let source = step.source, let target = step.target, source !== target,
                steps[(index + 1)...].contains(where: { $0.target?.isStored(as: source) ?? false })
            else { continue }
            throw DBClientError(
                .invalidRequest,
                "A later step must not lead back to the model of this one: it could not be told which were done.",
                entity: source.name,
                hint:
                    "Remove the steps that no store needs any more, or give the model another stored name."
            )
        }
    }

    /// Makes a step, and returns its change if there was one to make.
    private func run(
        _ index: Int,
        in transaction: WriteTransaction,
        _ writer: any EngineWriter,
        _ progress: @escaping (MigrationProgress) -> Void
    ) throws -> [MigrationChange] {
        let step = steps[index]
        do {
            guard let change = try change(of: index, in: writer) else {
                try checkTarget(of: index, in: writer)
                return []
            }
            func tell(_ fraction: Double) {
                progress(
                    MigrationProgress(
                        change: change,
                        fraction: fraction,
                        index: index,
                        count: steps.count
                    )
                )
            }
            tell(0)
            // Those of later steps as well, since an engine may have to restart the transaction for it.
            try writer.reserve(steps[index...].flatMap(\.reserved))
            // What a view comes to follows from the values that it is kept from.
            if !(step.target?.isView ?? false) {
                try step.run(MigrationRun(transaction: transaction, writer: writer, advance: tell))
            }
            if let target = step.target, try buildsViews(index, in: writer) {
                try writer.buildViews(of: target)
            }
            tell(1)
            return [change]
        } catch let error as DBClientError where error.code == .migrationRequired {
            // A later step may know what this one does not.
            if isLast(index) { throw error }
            return []
        }
    }

    /// Returns what a step would change, the stored views among it that it has built.
    private func change(of index: Int, in reader: any EngineReader) throws -> MigrationChange? {
        let step = steps[index]
        guard let target = step.target, target.hasViews else { return try step.change(reader) }
        if let failure = target.views.failure { throw failure }
        let change = target.isView ? nil : try step.change(reader)
        guard try buildsViews(index, in: reader) else { return change }
        let names = try EntityViews.network(of: target).kept.map(\.entity.name)
        return MigrationChange(target.name, (change?.kinds ?? []) + [.viewed(names)])
    }

    /// Whether a step builds views: the last one about the models that these are kept from, all of which have their shapes
    /// then.
    private func buildsViews(_ index: Int, in reader: any EngineReader) throws -> Bool {
        guard let target = steps[index].target, try reader.lacksViews(of: target) else {
            return false
        }
        let entities = try EntityViews.network(of: target).entities
        return !steps[(index + 1)...].contains { step in
            entities.contains { $0 === step.target }
        }
    }

    /// Throws when what is stored does not fit the model that a step leads to, and no later step changes it.
    private func checkTarget(of index: Int, in reader: any EngineReader) throws {
        guard let target = steps[index].target, isLast(index), !target.isView,
            try !reader.fits(target)
        else { return }
        throw target.migrationRequired(
            "The stored values must fit the model or one that it is converted from; they fit neither.",
            nil,
            hint: "Convert from the model that wrote it."
        )
    }

    /// Whether no later step is about the entity that a step leads to.
    private func isLast(_ index: Int) -> Bool {
        guard let target = steps[index].target else { return true }
        return !steps[(index + 1)...].contains { $0.source?.exactName == target.exactName }
    }

    /// Deletes what is stored of a step's entities, which could not be migrated, and returns what was: its
    /// target as well where that does not fit and no later step is about it.
    private func delete(
        _ index: Int,
        in transaction: WriteTransaction,
        _ writer: any EngineWriter,
        after error: any Error
    ) throws -> [MigrationChange] {
        guard error.isAboutStoredValues, let source = steps[index].source else { throw error }
        let run = MigrationRun(transaction: transaction, writer: writer, advance: { _ in })
        var changes: [MigrationChange] = []
        if try writer.difference(from: source) != nil {
            changes.append(MigrationChange(source.name, [.deleted]))
        }
        try run.drop(source)
        if let target = steps[index].target, target.exactName != source.exactName, isLast(index),
            try !writer.fits(target)
        {
            changes.append(MigrationChange(target.name, [.deleted]))
            try run.drop(target)
        }
        return changes
    }
}

extension EngineReader {
    /// Whether a model can be used, with everything that it holds; so it can where nothing of it is stored.
    fileprivate func fits(_ entity: EntitySchema) throws -> Bool {
        guard let difference = try difference(from: entity) else { return true }
        return try difference.fits && unfitRelationship(of: entity) == nil
    }

    /// Returns the first to-many relationship of a model whose stored links are of another kind.
    func unfitRelationship(of entity: EntitySchema) throws -> String? {
        try entity.relationships.first { relationship in
            guard let link = relationship.link?.entity,
                let difference = try difference(from: link)
            else { return false }
            return !difference.fits
        }?
        .name
    }
}

extension Error {
    /// Whether a step failed for what is stored, or in its own closure.
    fileprivate var isAboutStoredValues: Bool {
        guard let error = self as? DBClientError else { return !(self is CancellationError) }
        let codes: Set<DBClientError.Code> = [
            .migrationRequired, .schemaMismatch, .decoding, .invalidValue, .duplicateKey,
            .uniqueViolation, .constraintViolation, .danglingReference,
        ]
        return codes.contains(error.code)
    }
}
