package import DBClientCore
import Foundation

extension Slot {
    /// Returns the number as one of another kind: an integer as a real, and a decimal as the integer that it is; nil
    /// for what is neither.
    package func number(as kind: Slot.Kind) -> Slot? {
        switch (self.kind, kind) {
        case (.integer, .real): return .real(Double(integer))
        case (.data, .integer):
            guard let decimal = OrderedDecimal.decode(bytes), let number = Int64("\(decimal)")
            else {
                return nil
            }
            return .integer(number)
        default: return nil
        }
    }
}
