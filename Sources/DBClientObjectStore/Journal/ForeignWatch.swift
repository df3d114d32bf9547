import DBClientCore

/// Has the observers told what other processes commit: row by row where the journal has it.
final class ForeignWatch: ForeignCommits {
    private let clock: CommitClock
    private let registration: Registration?
    private let environment: Environment
    /// Holds this.
    private weak let hub: ChangeHub?
    /// Holds what holds this.
    private weak let queue: WriteQueue?

    init(
        _ clock: CommitClock,
        _ registration: Registration?,
        _ environment: Environment,
        _ hub: ChangeHub,
        _ queue: WriteQueue
    ) {
        self.clock = clock
        self.registration = registration
        self.environment = environment
        self.hub = hub
        self.queue = queue
    }

    func beginWatching() {
        clock.beginWatching()
    }

    func endWatching() {
        clock.endWatching()
        observe([])
    }

    func observe(_ names: Set<EntityName>) {
        // Whoever begins to observe may be inside a write, so the store is told later.
        if registration?.observe(names) == true { queue?.runEmpty() }
    }

    func look() {
        do {
            try environment.checkPresence()
        } catch {
            hub?.noteLoss(.wrapping(error))
            return
        }
        clock.look(waits: true)
        if registration?.takeWish() == true { queue?.runEmpty() }
    }

    func catchUp() {
        clock.look(waits: false)
    }
}
