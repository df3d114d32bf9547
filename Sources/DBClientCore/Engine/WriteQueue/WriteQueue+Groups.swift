extension WriteQueue {
    /// Runs the units of a group, and what empty ones wait for.
    func runWhole(_ group: WriteGroup) {
        if !group.units.isEmpty { runTogether(group) }
        if group.wantsEmptyTransaction { runTogether(WriteGroup([])) }
    }

    /// Runs units in one transaction, again if the engine could repair what made it fail.
    private func runTogether(_ group: WriteGroup) {
        while true {
            do {
                return try runOnce(group)
            } catch {
                guard let failure = committer.recover(from: error) else { continue }
                for unit in group.units where unit.failure == nil { unit.failure = failure }
                return
            }
        }
    }

    /// Runs units in one transaction.
    ///
    /// What a unit itself throws is kept with the unit; what makes the whole transaction fail is
    /// thrown, as is what a unit throws that is alone.
    private func runOnce(_ group: WriteGroup) throws {
        for unit in group.units { unit.failure = nil }
        if group.isAlone || !takeCaution(), try runPlainly(group) { return }
        try runInTransaction { capture in
            try forEachUnit(of: group) { try runInSavepoint($0, capture) }
        }
    }

    /// Runs units without savepoints and returns whether all went well; otherwise nothing was done.
    private func runPlainly(_ group: WriteGroup) throws -> Bool {
        do {
            try runInTransaction { capture in
                try forEachUnit(of: group) { unit in
                    do {
                        try run(unit, capture.writer)
                    } catch {
                        throw capture.writer.hasFailed || group.isAlone ? error : UnitFailure()
                    }
                    capture.endUnit()
                }
            }
            return true
        } catch is UnitFailure {
            beCautious()
            return false
        }
    }

    /// Calls a function with the units of a group and with those that join it meanwhile.
    private func forEachUnit(
        of group: WriteGroup,
        _ body: (WriteUnit) throws -> Void
    ) rethrows {
        var next = 0
        repeat {
            while next < group.units.count {
                try body(group.units[next])
                next += 1
            }
        } while join(group)
    }

    private func runInTransaction(_ body: (CommitCapture) throws -> Void) throws {
        let writer = try committer.begin()
        var capture = CommitCapture(writer, hub)
        do {
            try body(capture)
            try committer.prepare(writer, units: capture.units)
            capture.willCommit()
            try committer.commit(writer)
        } catch {
            capture.didFail()
            committer.rollback(writer)
            throw error
        }
        capture.didCommit()
    }

    /// Runs a unit, and throws when it continued although the transaction is lost: what it wrote after that,
    /// and what units beside it would write, might stay.
    private func run(_ unit: WriteUnit, _ writer: any EngineWriter) throws {
        try unit.run(writer)
        guard writer.hasFailed else { return }
        throw DBClientError(
            .transactionEnded,
            "A unit of work must end when its transaction is lost; this one went on.",
            hint: "End the unit of work when one of its writes fails, such as for lack of space."
        )
    }

    private func runInSavepoint(_ unit: WriteUnit, _ capture: CommitCapture) throws {
        let writer = capture.writer
        try writer.beginSavepoint()
        do {
            try run(unit, writer)
        } catch {
            if writer.hasFailed { throw error }
            try writer.rollbackSavepoint()
            unit.failure = error
            return
        }
        try writer.releaseSavepoint()
        capture.endUnit()
    }
}

/// A unit threw, which is no failure of the transaction.
private struct UnitFailure: Error {}
