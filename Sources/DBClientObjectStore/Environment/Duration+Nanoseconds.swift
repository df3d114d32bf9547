extension Duration {
    /// The whole nanoseconds, as far as they fit.
    var nanoseconds: Int {
        let (seconds, attoseconds) = components
        let product = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let sum = product.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard product.overflow || sum.overflow else { return Int(clamping: sum.partialValue) }
        return seconds < 0 ? .min : .max
    }
}
