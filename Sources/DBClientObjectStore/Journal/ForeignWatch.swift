import DBClientCore

/// Notifies the observers of the commits of other processes, row by row where the journal has them.
final class ForeignWatch: ForeignCommits {
    private let clock: CommitClock
    private let registration: Registration?
    private let environment: Environment
    /// Weak, since the hub holds this watch.
    private weak let hub: ChangeHub?
    /// Weak, since the queue holds the hub, which holds this watch.
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
        // The observer may begin inside a write transaction, so it is registered in the store later.
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
