#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A moment to some milliseconds, which costs less to ask for than one to the nanosecond.
struct CoarseInstant: Comparable {
    private let nanoseconds: Int64

    static var now: CoarseInstant {
        var time = timespec()
        #if os(Linux) || os(Android)
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        #else
        clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return CoarseInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    static func < (left: CoarseInstant, right: CoarseInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    static func - (left: CoarseInstant, right: CoarseInstant) -> Duration {
        .nanoseconds(left.nanoseconds - right.nanoseconds)
    }

    static func + (left: CoarseInstant, right: Duration) -> CoarseInstant {
        let sum = left.nanoseconds.addingReportingOverflow(Int64(right.nanoseconds))
        return CoarseInstant(nanoseconds: sum.overflow ? .max : sum.partialValue)
    }
}

extension Duration {
    /// The whole nanoseconds, as far as they fit.
    var nanoseconds: Int {
        let (seconds, attoseconds) = components
        let product = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let sum = product.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard product.overflow || sum.overflow else { return Int(sum.partialValue) }
        return seconds < 0 ? .min : .max
    }
}
