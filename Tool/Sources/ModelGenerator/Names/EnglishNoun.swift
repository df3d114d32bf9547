/// The number of English nouns, as far as names of tables need it.
enum EnglishNoun {
    private static let irregular: [String: String] = [
        "child": "children", "foot": "feet", "goose": "geese", "man": "men", "mouse": "mice",
        "person": "people", "tooth": "teeth", "woman": "women", "analysis": "analyses",
        "crisis": "crises", "criterion": "criteria", "datum": "data",
        "index": "indices", "matrix": "matrices", "medium": "media", "movie": "movies",
        "cookie": "cookies", "leaf": "leaves", "half": "halves", "shelf": "shelves",
        "wolf": "wolves", "life": "lives", "knife": "knives", "wife": "wives", "quiz": "quizzes",
    ]
    private static let singulars = Dictionary(
        uniqueKeysWithValues: irregular.map { ($0.value, $0.key) }
    )
    private static let unchanged: Set<String> = [
        "address", "canvas", "data", "equipment", "fish", "information", "lens", "media",
        "metadata",
        "money", "news", "series", "sheep", "species", "bus", "gas", "status", "chaos", "atlas",
    ]

    /// Returns the singular of a word in lower case, which is the word itself where it is none in the plural.
    static func singular(of word: String) -> String {
        if unchanged.contains(word) { return word }
        if let singular = singulars[word] { return singular }
        guard word.hasSuffix("s"), word.count > 2 else { return word }
        if word.hasSuffix("ss") || word.hasSuffix("us") || word.hasSuffix("is") { return word }
        if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        for ending in ["sses", "shes", "ches", "xes", "zzes"] where word.hasSuffix(ending) {
            return String(word.dropLast(2))
        }
        if word.hasSuffix("uses"), !word.hasSuffix("ouses"), !word.hasSuffix("auses"),
            word != "uses"
        {
            return String(word.dropLast(2))
        }
        return String(word.dropLast())
    }

    /// Returns the plural of a word in lower case that is in the singular.
    static func plural(of word: String) -> String {
        if let plural = irregular[word] { return plural }
        if [
            "data", "equipment", "fish", "information", "media", "metadata", "money", "news",
            "series",
            "sheep", "species",
        ].contains(word) {
            return word
        }
        let vowels: Set<Character> = ["a", "e", "i", "o", "u"]
        if word.hasSuffix("y"), let before = word.dropLast().last, !vowels.contains(before) {
            return word.dropLast() + "ies"
        }
        for ending in ["s", "x", "z", "ch", "sh"] where word.hasSuffix(ending) {
            return word + "es"
        }
        return word + "s"
    }
}
