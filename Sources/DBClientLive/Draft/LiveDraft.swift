public import DBClientCore
public import Observation

/// A stored value that a form edits: edits are shown at once and written a little later, in one transaction.
///
/// ```swift
/// let draft = client.draft(of: hero)
/// draft.name = "Tony"  // shown now, and written when nothing has been edited for a while
/// draft.name = "Tony Stark"
/// try await draft.flush()  // written now
/// ```
///
/// An edit of a property writes that property of what is stored then, so that other changes made meanwhile stay. What
/// the store has otherwise is shown as it changes. A value that the store refuses stays, with the ``error``, until it
/// is edited again or given up with ``revert()``.
///
/// Edits that wait when the last reference goes are still written; a refusal is then told to nothing.
@MainActor
@dynamicMemberLookup
public final class LiveDraft<Model: StoredConvertible>: Observable {
    private struct Edit: Sendable {
        let path: any AnyKeyPath & Sendable
        let apply: @Sendable (inout Model) -> Void
    }

    /// How long nothing must be edited before edits are written.
    public var debounce: Duration
    private let client: any DBClient
    private let key: Model.PrimaryKey
    private let stored: LiveCore<Model?>
    private let signal = LiveSignal()
    /// What was stored, until the newest observation tells of a value.
    private var base: Model
    private var waiting: [Edit] = []
    private var saving: [Edit] = []
    private var failure: (any Error)?
    private var timer: Task<Void, Never>?
    private var save: Task<Void, any Error>?

    init(_ client: any DBClient, _ value: Model, debounce: Duration, _ retry: LiveRetry) {
        self.client = client
        self.debounce = debounce
        key = value.primaryKey
        base = value
        stored = LiveCore(retry)
        follow()
    }

    /// Begins to observe what is stored, in the place of an observation that may still tell of what was stored before.
    private func follow() {
        let values = client.observe(Model.self, key: key)
        stored.begin(
            .values(
                values,
                { $0 },
                { _, _ in LiveChange(modifications: [RowMove(from: 0, to: 0)]) }
            )
        )
    }

    deinit {
        timer?.cancel()
        guard failure == nil, !waiting.isEmpty else { return }
        let (client, key, edits) = (client, key, waiting.map(\.apply))
        Task.detached { try await Self.write(edits, key, client) }
    }

    // MARK: What is shown

    /// The value as it is edited.
    ///
    /// Setting it writes all of its properties; set one by its name instead.
    public var value: Model {
        get {
            signal.access()
            var value = current
            for edit in saving + waiting { edit.apply(&value) }
            return value
        }
        set { edit(Self.whole) { $0 = newValue } }
    }

    /// A property of the value as it is edited.
    public subscript<Value: Sendable>(
        dynamicMember path: any WritableKeyPath<Model, Value> & Sendable
    ) -> Value {
        get { value[keyPath: path] }
        set { edit(path) { $0[keyPath: path] = newValue } }
    }

    /// Whether there are edits that are not stored.
    public var isEdited: Bool {
        signal.access()
        return !waiting.isEmpty || !saving.isEmpty
    }

    /// Whether a transaction with edits is under way; edits that are made meanwhile follow in another one.
    public var isSaving: Bool {
        signal.access()
        return !saving.isEmpty
    }

    /// Why the edits were refused, a `DBClientError` or what a rule of a `ValidatingDBClient` throws; nil when they were not.
    public var error: (any Error)? {
        signal.access()
        return failure
    }

    /// Whether the store no longer has the value.
    ///
    /// Edits are then refused with `.notFound`.
    public var isDeleted: Bool {
        stored.contentSignal.access()
        if case .some(.none) = stored.content { return true }
        return false
    }

    /// The path of all properties at once.
    private static var whole: any AnyKeyPath & Sendable { \Model.self }

    /// What is stored, as far as it is known.
    private var current: Model {
        stored.contentSignal.access()
        guard stored.isNewest, let value = stored.content ?? nil else { return base }
        return value
    }

    // MARK: Edits

    private func edit(
        _ path: any AnyKeyPath & Sendable,
        _ apply: @escaping @Sendable (inout Model) -> Void
    ) {
        signal.change {
            // A later edit of the same takes the place of an earlier one; one of the whole, that of all.
            waiting.removeAll { path == Self.whole || $0.path == path }
            waiting.append(Edit(path: path, apply: apply))
            failure = nil
        }
        timer?.cancel()
        timer = Task { [weak self, debounce] in
            try? await Task.sleep(for: debounce)
            if Task.isCancelled { return }
            // What it throws is shown.
            try? await self?.flush()
        }
    }

    /// Writes what is edited, in one transaction, and waits for that.
    ///
    /// - Throws: What the store refuses it with, which ``error`` has as well. The edits stay.
    public func flush() async throws {
        timer?.cancel()
        // Edits that came during a save are not part of it.
        while let save {
            try? await save.value
            if self.save == save { self.save = nil }
        }
        if waiting.isEmpty { return }
        let task = Task { try await saveEdits() }
        save = task
        defer { if save == task { save = nil } }
        try await task.value
    }

    private func saveEdits() async throws {
        let edits = waiting
        if edits.isEmpty { return }
        signal.change {
            saving = edits
            waiting = []
        }
        do {
            let written = try await Self.write(edits.map(\.apply), key, client)
            signal.change {
                // The present observation may have changes of before the write yet to tell; a new one begins behind it.
                base = written
                follow()
                saving = []
                failure = nil
            }
        } catch {
            signal.change {
                // What was edited meanwhile takes the place of what was refused.
                let refused = edits.filter { edit in
                    !waiting.contains { $0.path == edit.path || $0.path == Self.whole }
                }
                waiting = refused + waiting
                saving = []
                failure = error
            }
            throw error
        }
    }

    @discardableResult
    private nonisolated static func write(
        _ edits: [@Sendable (inout Model) -> Void],
        _ key: Model.PrimaryKey,
        _ client: any DBClient
    ) async throws -> Model {
        try await client.modify(Model.self, key: key) { value in
            for edit in edits { edit(&value) }
        }
    }

    /// Gives up the edits that are not being written, and forgets the error.
    public func revert() {
        timer?.cancel()
        signal.change {
            waiting = []
            failure = nil
        }
    }
}
