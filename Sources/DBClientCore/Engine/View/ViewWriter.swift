/// A writer that keeps stored views: what a unit writes to rows that views are kept from is followed by the writes to the
/// views, before the unit ends and before it reads one of them.
///
/// Entities without views go straight to the writer below.
final class ViewWriter: ForwardingWriter {
    let base: any EngineWriter
    /// Captures what is written to rows that views are kept from; made for the first of them.
    private lazy var capture = CapturingWriter(
        base,
        CommitRecorder(.empty, rowLimit: Self.rowLimit)
    )
    private var isCapturing = false
    /// The entities whose views were found to be there.
    private var ready: Set<EntitySchema> = []
    private var progress = Progress()
    private var savepoints: [Progress] = []

    /// How far the views follow what was written.
    private struct Progress {
        /// The entities that were written to since their views were kept.
        var written: Set<EntitySchema> = []
        /// How much of what was captured of an entity the views follow.
        var kept: [EntitySchema: Int] = [:]
        /// Whether views could not follow, and may have been written in part.
        var hasFailed = false
    }

    /// How many rows of an entity are captured at most; after more of them its views are built anew.
    private static let rowLimit = 262_144

    init(_ base: any EngineWriter) {
        self.base = base
    }

    // MARK: Savepoints

    func beginSavepoint() throws {
        try isCapturing ? capture.beginSavepoint() : base.beginSavepoint()
        savepoints.append(progress)
    }

    func releaseSavepoint() throws {
        try isCapturing ? capture.releaseSavepoint() : base.releaseSavepoint()
        _ = savepoints.popLast()
    }

    func rollbackSavepoint() throws {
        try isCapturing ? capture.rollbackSavepoint() : base.rollbackSavepoint()
        progress = savepoints.popLast() ?? Progress()
        // What was built in the savepoint is gone.
        ready = []
    }

    // MARK: Views

    /// Returns the writer for an entity's rows, which it captures where views are kept from them.
    ///
    /// - Throws: `.readOnly` for the rows of a view; what building the views throws.
    func writer(of entity: EntitySchema) throws -> any EngineWriter {
        guard entity.hasViews else { return base }
        let views = entity.views
        if let failure = views.failure { throw failure }
        if entity.isView {
            throw DBClientError(
                .readOnly,
                "A stored view is written by the library alone, when what it is kept from is written.",
                entity: entity.name
            )
        }
        if !ready.contains(entity) {
            try base.requireViews(of: entity)
            ready.insert(entity)
        }
        if !isCapturing {
            isCapturing = true
            // The savepoints that are open have written nothing that is captured.
            for _ in savepoints { capture.recorder.beginSavepoint() }
        }
        progress.written.insert(entity)
        return capture
    }

    /// Has the views follow what was written.
    func keepViews() throws {
        if progress.written.isEmpty { return }
        let former = progress
        do {
            try keepViews(of: former.written)
            progress.hasFailed = false
        } catch {
            // A body that goes on after the error must not commit without them.
            progress = former
            progress.hasFailed = true
            throw error
        }
    }

    private func keepViews(of written: Set<EntitySchema>) throws {
        let hasFailed = progress.hasFailed
        progress.written = []
        let unseen = takeUnseen()
        var changes = ViewChanges()
        var unknown: Set<EntitySchema> = []
        var views: [any ViewUpkeep] = []
        for entity in written {
            guard let log = capture.recorder.log(of: entity) else { continue }
            if try capture.recorder.isUnseen(log) || log.isOverflown || unseen(entity)
                || base.keepsOtherValues(of: entity)
            {
                unknown.insert(entity)
            }
            changes.add(log, of: entity, from: progress.kept[entity] ?? 0)
            progress.kept[entity] = log.count
            for case let view as any ViewUpkeep in entity.views.kept
            where !views.contains(where: { $0.entity === view.entity }) { views.append(view) }
        }
        for view in views {
            let isKnown =
                !hasFailed && view.sourceEntities.allSatisfy { !unknown.contains($0) }
            try view.keep(isKnown ? view.keys(after: changes, in: base) : nil, with: base)
        }
    }

    /// Returns whether the store itself may have written an entity's rows, which observers are to learn as well.
    private func takeUnseen() -> (EntitySchema) -> Bool {
        let observers = (base as? CapturingWriter)?.recorder
        switch base.takeUntrackedChanges() {
        case .none: return { _ in false }
        case .all:
            observers?.noteUntrackedWrite()
            return { _ in true }
        case .entities(let names):
            observers?.noteUntrackedWrites(of: names)
            return { names.contains($0.exactName) }
        }
    }
}
