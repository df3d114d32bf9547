import DBClientCore

extension AggregateFunction {
    /// Whether the function is a sum of values of a type that is exact: of integers or decimals.
    func isExactSum(of type: FieldType) -> Bool {
        self == .sum && type.slotKind != .real
    }

    /// Whether the function adds up values of a type that are reals.
    func addsReals(of type: FieldType) -> Bool {
        (self == .sum || self == .average) && type.slotKind == .real
    }
}
