extension EntitySchema {
    /// Returns the error of an entity whose name a store has already in another case.
    ///
    /// SQLite takes such names for one, so a store has but one of them, on every engine.
    public static func nameTaken(_ name: String, as other: String) -> DBClientError {
        DBClientError(
            .schemaMismatch,
            "The store has an entity of this name but for the case of A to Z.",
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
