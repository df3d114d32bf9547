/// What a column of SQLite is to a model: by its declared type, whose affinity says what can be stored, and by the
/// values that are there, which say what is meant.
enum SQLiteColumnRule {
    /// The storage classes of a column's values.
    struct Sample: Hashable, Sendable {
        var hasIntegers = false
        var hasReals = false
        var hasTexts = false
        var hasBlobs = false
        /// Whether every integer is 0 or 1.
        var areTruthValues = true
        /// Whether every blob has the length of a UUID.
        var areUUIDs = true

        var isEmpty: Bool { !hasIntegers && !hasReals && !hasTexts && !hasBlobs }
        fileprivate var hasNumbers: Bool { hasIntegers || hasReals }
        fileprivate var classes: [String] {
            [
                hasIntegers ? "integers" : nil, hasReals ? "reals" : nil, hasTexts ? "texts" : nil,
                hasBlobs ? "blobs" : nil,
            ].compactMap(\.self)
        }
    }

    /// The affinities of declared types, by SQLite's own rules.
    private enum Affinity {
        case integer
        case text
        case blob
        case real
        case numeric
        case none
    }

    /// Returns what a column is to a model.
    static func meaning(ofDeclared type: String, isKey: Bool, _ sample: Sample) -> ColumnMeaning {
        let type = type.uppercased()
        func says(_ words: String...) -> Bool { words.contains { type.contains($0) } }
        switch affinity(of: type) {
        case .integer:
            if sample.hasReals || sample.hasTexts || sample.hasBlobs { return mixed(sample) }
            if says("BOOL"), sample.areTruthValues { return .field(.boolean) }
            return .field(.int)
        case .text:
            if sample.hasBlobs { return mixed(sample) }
            return .field(.text)
        case .blob:
            if sample.hasNumbers || sample.hasTexts { return mixed(sample) }
            let isUUID = sample.hasBlobs && sample.areUUIDs && (isKey || says("UUID", "GUID"))
            return .field(isUUID ? .uuid : .data)
        case .real:
            if sample.hasTexts || sample.hasBlobs { return mixed(sample) }
            return .field(.double)
        case .numeric: return meaning(ofNumeric: says, sample)
        case .none:
            if sample.isEmpty {
                return .field(.text, remark: "No declared type, and no values yet.")
            }
            return meaning(ofNumeric: says, sample)
        }
    }

    /// The types that have no affinity of their own: the one place to say what dates and decimals are.
    private static func meaning(
        ofNumeric says: (String...) -> Bool,
        _ sample: Sample
    ) -> ColumnMeaning {
        let isDate = says("DATE", "TIME")
        let isDecimal = says("NUMERIC", "DECIMAL", "MONEY", "CURRENCY")
        if sample.hasTexts {
            if sample.hasNumbers || sample.hasBlobs { return mixed(sample) }
            return .field(.text, remark: isDate ? "A date as text." : nil)
        }
        if sample.hasBlobs {
            if sample.hasNumbers { return mixed(sample) }
            return .field(says("UUID", "GUID") && sample.areUUIDs ? .uuid : .data)
        }
        if says("BOOL"), !sample.hasReals, sample.areTruthValues { return .field(.boolean) }
        if sample.isEmpty {
            if isDate { return .field(.text, remark: "A date as text; there are no values yet.") }
            return .field(.double)
        }
        if isDate {
            return sample.hasReals
                ? .field(
                    .double,
                    remark: "A date as a number: see `ColumnFormat.timeIntervalSince1970`."
                )
                : .field(.int, remark: "A date as a number: see `ColumnFormat.secondsSince1970`.")
        }
        if sample.hasReals {
            return .field(.double)
        }
        // Beyond what a decimal holds.
        if isDecimal { return .field(.double, remark: "A decimal as a double.") }
        return .field(.int)
    }

    private static func mixed(_ sample: Sample) -> ColumnMeaning {
        .none(
            reason: "its rows have \(sample.classes.joined(separator: " and ")),"
                + " which no one field holds under its declared type"
        )
    }

    private static func affinity(of type: String) -> Affinity {
        if type.isEmpty || type == "ANY" { return .none }
        func says(_ words: String...) -> Bool { words.contains { type.contains($0) } }
        if says("INT") { return .integer }
        if says("CHAR", "CLOB", "TEXT") { return .text }
        if says("BLOB") { return .blob }
        if says("REAL", "FLOA", "DOUB") { return .real }
        return .numeric
    }
}
