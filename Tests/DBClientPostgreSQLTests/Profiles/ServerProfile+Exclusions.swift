extension ServerProfile {
    /// Promises that a product cannot keep.
    struct Exclusion: Sendable {
        /// What the promises begin or end with.
        let promises: [String]
        /// Why calls throw `.unsupported`.
        let reason: String

        /// Whether it is about a promise.
        func contains(_ promise: String) -> Bool {
            promises.contains { promise.hasPrefix($0) || promise.hasSuffix($0) }
        }
    }

    /// What the product cannot keep: the calls throw `.unsupported`.
    var exclusions: [Exclusion] {
        let lacksLocks = refusals.contains { $0.text == "LOCK TABLE" }
        let lacksRestart = refusals.contains { $0.text == "RESTART WITH" }
        return (lacksLocks ? [Self.conversions] : []) + (lacksRestart ? [Self.lastKeys] : [])
    }

    /// Returns why a promise cannot be kept; nil where it can.
    func exclusion(of promise: String) -> String? {
        exclusions.first { $0.contains(promise) }?.reason
    }

    private static let conversions = Exclusion(
        promises: [
            "migrations: the columns of a key that is held are not moved apart",
            "migrations: values are converted to another shape of their entity, once",
            "migrations: a store of any version is led to the last one",
            "migrations: values are converted to another entity, and the former one is gone",
            "migrations: a value that is there already is not replaced by a converted one",
            "migrations: keys that the store makes go on after those of converted values",
            "migrations: a key that was given is not made again after a conversion",
            "migrations: a conversion that is undone leaves the keys that the store makes",
            "migrations: what values hold is held by what they are converted to",
            "migrations: what a migration would change is told, and how far it is",
            " is converted to each other type, once",
            "migrations: another client that has the former model is refused after a conversion",
            "migrations: what wrote a store is known when it is opened again",
            "migrations: a conversion that is undone is done by the next migration",
            "migrations: what is held is converted to values of another model, once",
            "migrations: a client that has used Storing",
            "migrations: a snapshot that was taken before is read to its end",
            "migrations: related rows are not looked at as what they were",
            "migrations: a store enters the path of its steps where it is",
            "migrations: a program that went back a version changes nothing by itself",
            "migrations: versions that take turns in a store are answered by their own shape alone",
            "migrations: a transaction goes on after a migration that it caught",
            "migrations: what cannot be migrated is deleted on request, and the rest goes on",
            "migrations: what does not fit is deleted on request where it is what a step leads to",
        ],
        reason:
            "Without LOCK TABLE other sessions could write to a table whose rows are being converted."
    )

    private static let lastKeys = Exclusion(
        promises: [
            "keys: a value that is refused keeps no key from being made",
            "keys: the largest integer key is followed by none",
            "keys: the largest integer key is made, and once",
            "keys: a key that cannot be made concerns its own call alone",
            "keys: of two keys the last one is made for neither",
            "keys: a made key that is none of the model's type leaves nothing",
        ],
        reason: "Without RESTART a refused row would take one of the last keys with it."
    )

    /// Promises of how often something happens: a body runs again when the server is found to lack something, so
    /// these are kept by a client that knows.
    static let countingPromises = [
        "decorators: decorators compose and leave observing as it is",
        "copying: a copy tells how far it is (to the backend)",
        "hostileNames: keys are made, and long texts have an index, under made-up names",
    ]
}
