import DBClientCore

/// One field of a model, as the differential test uses it: everything comes in pairs, for the library
/// and for the oracle.
struct FieldProbe<Model: Stored>: Sendable {
    let name: String
    /// Whether the field belongs to the primary key.
    var isKey = false
    /// The field of a value as text.
    let show: @Sendable (Model) -> String
    /// Gives the field of a new value something.
    var fill: (@Sendable (inout Model, RandomSource) -> Void)?
    /// Makers of random conditions on this field alone, for the library and the oracle.
    var conditions: [@Sendable (RandomSource) -> PairedCondition<Model>] = []
    var ordering: (@Sendable (RandomSource) -> PairedOrdering<Model>)?
    var assignment: (@Sendable (RandomSource) -> PairedAssignment<Model>)?
    var functions: [PairedFunction<Model>] = []
    /// The field in groups, joins and windows.
    var report: (any ReportField<Model>)?

    /// Makes one in five assignments of the field another one.
    mutating func addAssignment(
        _ make: @escaping @Sendable (RandomSource) -> PairedAssignment<Model>
    ) {
        guard let assignment else { return }
        self.assignment = { $0.chance(20) ? make($0) : assignment($0) }
    }
}
