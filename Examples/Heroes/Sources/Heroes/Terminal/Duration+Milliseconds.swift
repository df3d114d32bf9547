import Foundation

extension Duration {
    /// The duration in milliseconds with two digits, as in `1.25 ms`.
    var inMilliseconds: String {
        let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
        return String(format: "%.2f ms", seconds * 1_000)
    }
}
