/// The cases of an enum of Swift for the labels of an enum type.
struct EnumCases {
    /// The names of the cases, by the labels.
    let names: [String: String]

    init(_ labels: [String]) {
        var unique = UniqueNames(taken: SwiftIdentifier.reservedCases)
        var names: [String: String] = [:]
        for label in labels {
            let words = SwiftIdentifier.words(of: label)
            let name = words.isEmpty ? "blank" : SwiftIdentifier.lowerCamel(words)
            names[label] = unique.take(name, name + "Case")
        }
        self.names = names
    }
}
