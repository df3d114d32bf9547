import CLibPQ

extension Link {
    /// Waits until another session notifies of something, a signal comes or the time is over, and returns
    /// whether one has notified.
    func waitForNotification(_ milliseconds: Int32, or wakeup: WakeupPipe) throws -> Bool {
        // Notifications that came with the last answer have already been received.
        if takeNotifications() { return true }
        wakeup.wait(milliseconds, orFor: PQsocket(handle))
        try consume()
        return takeNotifications()
    }

    private func takeNotifications() -> Bool {
        var isAny = false
        while let notification = PQnotifies(handle) {
            if notification.pointee.be_pid != PQbackendPID(handle) { isAny = true }
            PQfreemem(notification)
        }
        return isAny
    }
}
