package import ArgumentParser
import DBClientCore
import Foundation

/// Copies a store to another one.
package struct CopyCommand: StoreCommand {
    package static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copies the entities of a store to another one, whichever engines they have.",
        discussion: """
            It is one snapshot of the source and one transaction of the target: a copy that was killed leaves \
            nothing behind and can be run again. What entities refer to is copied with them.

            With --resumable each page of rows is a transaction, and a copy that was killed goes on where it \
            was when it is run again, with or without --resumable; until then inspect and check say that it is \
            not finished. The target must have no other rows of these entities, the source should \
            not be written to meanwhile, and entities whose rows refer to each other in circles are copied in \
            one transaction. --verify tells whether all is there.

            With --follow the target is kept as the source is until the command is interrupted: what differs is \
            written after each commit of the source, by any process, and what the source lacks is deleted. It \
            can be run again at any time and goes on by what differs then; where the target has rows already, \
            it asks.

            What no entity can show, such as a table without a key, is refused, and left out with --partial.

            Example: dbclient copy heroes.store postgres://app@db/heroes --verify
            """
    )

    @Argument(help: "The source: a path or a postgres:// URL.")
    var source: String
    @Argument(help: "The target: a path, object:path or sqlite:path for a new file, or a URL.")
    var target: String
    @OptionGroup var keys: KeyOptions
    @OptionGroup var targetKeys: TargetKeyOptions
    @Option(help: "An entity; all by default, and several where it is given several times.")
    var entity: [String] = []
    @Flag(help: "Commit page by page, and go on where a copy that was killed had come to.")
    var resumable = false
    @Flag(help: "Keep the target as the source is, until it is interrupted.")
    var follow = false
    @Flag(help: "Leave out what no entity can show.")
    var partial = false
    @Flag(help: "Replace rows of the target that have the keys of copied ones.")
    var replace = false
    @Flag(help: "Compare checksums of both stores afterwards.")
    var verify = false
    @Flag(help: "Replace without being asked.")
    var yes = false

    package init() {}

    package func validate() throws {
        if resumable, replace {
            throw ValidationError("--resumable adds what is missing, and cannot --replace.")
        }
        if follow, resumable || replace {
            throw ValidationError(
                "--follow writes whatever differs, and takes neither --resumable nor --replace."
            )
        }
    }

    package func perform() async throws -> Bool {
        if replace { try Terminal.confirm("Replace rows of \(target)?", unless: yes) }
        return try await Store.with(source, key: keys.key(), trustsSchema: keys.trustsSchema) {
            source in
            let selection = try await Selection(
                of: source,
                named: entity,
                withRelatives: true,
                partial: partial,
                for: "copy"
            )
            let entities = selection.entities
            return try await Store.with(
                target,
                key: targetKeys.key(),
                trustsSchema: targetKeys.trustsSchema,
                mayBeNew: true
            ) { target in
                if source.key != nil, target.key == nil { Terminal.note(Self.plainTarget) }
                try await target.checkTakesKeys(of: entities)
                let unfinished = try await target.unfinishedCopies()
                if follow {
                    let entities = try await self.follow(selection, from: source, to: target)
                    if !unfinished.isEmpty { try await target.forgetCopies() }
                    return verify ? try await Self.verify(entities, source, target) : true
                }
                for copy in unfinished where !replace {
                    Terminal.note("Going on with the copy \(copy.text).")
                }
                let copied =
                    resumable || !unfinished.isEmpty && !replace
                    ? try await resume(entities, from: source, to: target)
                    : try await copyWhole(selection, from: source, to: target)
                if replace, !unfinished.isEmpty { try await target.forgetCopies() }
                return verify ? try await Self.verify(copied, source, target) : true
            }
        }
    }

    /// What is said where what was encrypted is written to a store that is not.
    static let plainTarget =
        "The target is not encrypted. A new object store is, by --target-key-file or --target-passphrase-file."

    private func copyWhole(
        _ selection: Selection,
        from source: Store,
        to target: Store
    ) async throws -> [EntitySchema] {
        let policy: CopyConflictPolicy = replace ? .replace : .refuse
        let outcomes = try await Self.copy(selection, from: source, to: target, policy)
        for outcome in outcomes {
            try Terminal.write(
                "\(outcome.name): \(outcome.inserted) inserted, \(outcome.updated) replaced\n"
            )
        }
        return try await source.entities(named: outcomes.map(\.name))
    }

    private func resume(
        _ entities: [EntitySchema],
        from source: Store,
        to target: Store
    ) async throws -> [EntitySchema] {
        let outcomes = try await ResumableCopy(entities, from: source, to: target).run()
        for outcome in outcomes {
            try Terminal.write(
                "\(outcome.entity.name): \(outcome.copied) inserted, \(outcome.present) were there\n"
            )
        }
        return outcomes.map(\.entity)
    }

    /// Keeps the target as the source is until the command is interrupted, and returns what was followed.
    private func follow(
        _ selection: Selection,
        from source: Store,
        to target: Store
    ) async throws -> [EntitySchema] {
        var followed = selection.entities
        if try await FollowingCopy(followed, from: source, to: target).targetHasRows {
            try Terminal.confirm(
                "Make the rows of \(target.address) those of the source?",
                unless: yes
            )
        } else {
            // With what the entities refer to.
            followed = try await copyWhole(selection, from: source, to: target)
        }
        try await source.noteMissingJournal(of: followed)
        var isFirst = true
        try await FollowingCopy(followed, from: source, to: target).run { differences in
            for difference in differences {
                try Terminal.write(
                    "\(difference.entity.name): \(difference.inserted.count) inserted,"
                        + " \(difference.updated.count) replaced, \(difference.deleted.count) deleted\n"
                )
            }
            if isFirst { Terminal.note("The target is as the source is. Press Control-C to stop.") }
            isFirst = false
        }
        return followed
    }

    @discardableResult
    static func copy(
        _ selection: Selection,
        from source: Store,
        to target: Store,
        _ policy: CopyConflictPolicy
    ) async throws -> [PartialCopy.Outcome] {
        let entities = selection.entities
        guard !entities.isEmpty else { throw ToolError("The source has no entity to copy.") }
        if selection.lacksFields {
            return try await PartialCopy(
                source: source,
                target: target,
                entities: entities,
                replaces: policy == .replace
            ).run()
        }
        let progress = Progress()
        defer { progress.end() }
        var tell: (@Sendable (CopyProgress) -> Void)?
        if Terminal.showsProgress {
            tell = { progress.tell($0.entity, rows: $0.copied, fraction: $0.fraction) }
        }
        let outcome = try await target.client.copy(
            entities,
            from: source.client,
            onConflict: policy,
            progress: tell
        )
        return outcome.entities.map {
            PartialCopy.Outcome(name: $0.name, inserted: $0.inserted, updated: $0.updated)
        }
    }

    static func verify(
        _ entities: [EntitySchema],
        _ source: Store,
        _ target: Store
    ) async throws -> Bool {
        let differences = try await Verification.differences(source, target, entities)
        for difference in differences { try Terminal.write("differs: \(difference)\n") }
        if differences.isEmpty { try Terminal.write("verified: the checksums are equal\n") }
        return differences.isEmpty
    }
}
