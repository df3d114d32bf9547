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
        let written = progress.written
        progress.written = []
        let unseen = takeUnseen()
        for entity in written {
            guard let log = capture.recorder.log(of: entity) else { continue }
            let isKnown =
                try !capture.recorder.isUnseen(log) && !log.isOverflown && !unseen(entity)
                && !base.keepsOtherValues(of: entity)
            let kept = progress.kept[entity] ?? 0
            for case let view as any ViewUpkeep in entity.views.kept {
                let keys = isKnown ? log.keys(from: kept, by: view.keyColumns) : nil
                try view.keep(keys, with: base)
            }
            progress.kept[entity] = log.count
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

extension RowLog {
    /// Returns the values of some columns in the rows before and after each write from a position on.
    fileprivate func keys(from start: Int, by columns: [Int]) -> Set<[StorageValue]> {
        var keys: Set<[StorageValue]> = []
        for position in min(start, count)..<count {
            let (before, after) = self[position]
            for row in [before, after] {
                guard let row else { continue }
                keys.insert(columns.map { StorageValue(row[0, $0]) })
            }
        }
        return keys
    }
}
