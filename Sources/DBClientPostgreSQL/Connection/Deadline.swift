import Dispatch

/// A moment after which nothing is waited for any more.
struct Deadline: Comparable {
    private let uptime: UInt64

    /// The moment that is so far from now.
    init(after duration: Duration) {
        self.init(afterNanoseconds: UInt64(clamping: duration.nanoseconds))
    }

    /// The moment that is so many nanoseconds from now.
    init(afterNanoseconds nanoseconds: UInt64) {
        let now = DispatchTime.now().uptimeNanoseconds
        let (sum, overflow) = now.addingReportingOverflow(nanoseconds)
        uptime = overflow ? .max : sum
    }

    static func < (left: Deadline, right: Deadline) -> Bool { left.uptime < right.uptime }

    /// The nanoseconds that are left, zero when there are none.
    var nanoseconds: UInt64 {
        let now = DispatchTime.now().uptimeNanoseconds
        return now >= uptime ? 0 : uptime - now
    }

    /// The milliseconds that are left, rounded up, zero when there are none.
    var milliseconds: Int32 {
        let now = DispatchTime.now().uptimeNanoseconds
        if now >= uptime { return 0 }
        return Int32(clamping: (uptime - now + 999_999) / 1_000_000)
    }

    /// Whether the deadline has passed by now.
    var hasPassed: Bool { hasPassed(at: DispatchTime.now().uptimeNanoseconds) }

    /// Whether nothing is left at a moment, in nanoseconds of uptime.
    func hasPassed(at now: UInt64) -> Bool { now >= uptime }

    /// The same moment for the dispatch library.
    var dispatchTime: DispatchTime { DispatchTime(uptimeNanoseconds: uptime) }
}

extension Duration {
    /// The whole nanoseconds, as far as they fit.
    var nanoseconds: Int {
        let (seconds, attoseconds) = components
        let product = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return product.overflow
            ? .max : Int(product.partialValue) + Int(attoseconds / 1_000_000_000)
    }
}
