extension EntitySchema {
    /// Returns the error of an entity whose name a store has already in another case.
    ///
    /// SQLite takes such names for one, so a store has but one of them, on every engine.
    public static func nameTaken(_ name: String, as other: String) -> DBClientError {
        DBClientError(
            .schemaMismatch,
            "Stored names must differ by more than upper and lower case; the store has \"\(other)\".",
            entity: name,
            hint: "Give the model the stored name \"\(other)\", or another one."
        )
    }

    /// Returns whether two names differ in the case of A to Z and in nothing else.
    public static func differInCaseAlone(_ name: String, _ other: String) -> Bool {
        asciiFolded(name).elementsEqual(asciiFolded(other))
            && !name.utf8.elementsEqual(other.utf8)
    }
}

extension EntitySchema {
    /// Returns a name that every engine keeps whole: a longer one has its end replaced by a hash.
    package static func shortened(_ name: String) -> String {
        guard name.utf8.count > maximumNameLength else { return name }
        // FNV-1a in 64 bits: it only has to tell long names apart.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        var kept = ""
        for scalar in name.unicodeScalars {
            if kept.utf8.count + UTF8.width(scalar) > maximumNameLength - 17 { break }
            kept.unicodeScalars.append(scalar)
        }
        return "\(kept)_\(String(hash, radix: 16))"
    }
}
