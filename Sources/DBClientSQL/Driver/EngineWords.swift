/// What a database says of a statement that it does not take.
package enum EngineWords {
    /// Returns an error's words, without a constant that the statement has where the database stopped reading.
    ///
    /// The words are about the statement's text, which has no bound value in it.
    package static func withoutConstants(_ message: String) -> String {
        let words = message.trimmingSuffix(while: { $0.isWhitespace || $0 == "." })
        for opening in ["near \"", "token: \""] {
            guard let start = words.firstRange(of: opening)?.upperBound else { continue }
            let end = words[start...].lastIndex(of: "\"") ?? words.endIndex
            let token = words[start..<end]
            if token.contains("'") || token.contains("$") || token.first?.isNumber == true {
                return words[..<start] + "…" + words[end...]
            }
        }
        return String(words)
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(while isSpare: (Character) -> Bool) -> String {
        var end = endIndex
        while end > startIndex, isSpare(self[index(before: end)]) { end = index(before: end) }
        return String(self[..<end])
    }
}
