/// The tour, in order.
///
/// A store must be new when it begins.
enum Steps {
    /// Every step after the import.
    static let all: [Step] =
        [countEverything("Count what was imported")] + queries + changes
        + relationships + [countEverything("Count again")]
}
