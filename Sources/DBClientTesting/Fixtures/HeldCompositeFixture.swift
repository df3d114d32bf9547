import DBClientCore

/// Keyed by several fields and held and holding by them.
@Stored struct Volume: Equatable {
    @PrimaryKey let series: String
    @PrimaryKey let weight: Double
    @PrimaryKey let number: Int
    var next: Reference<Volume>?
    var issues: [Issue]

    init(
        _ series: String,
        _ weight: Double,
        _ number: Int,
        next: PrimaryKey? = nil,
        issues: [Issue] = []
    ) {
        self.series = series
        self.weight = weight
        self.number = number
        self.next = next.map { Reference($0) }
        self.issues = issues
    }
}

extension Volume.PrimaryKey {
    init(_ series: String, _ weight: Double, _ number: Int) {
        self.init(series: series, weight: weight, number: number)
    }
}
