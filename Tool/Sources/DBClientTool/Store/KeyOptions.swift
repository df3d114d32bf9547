package import ArgumentParser
package import DBClientCore

/// The files of a key of an encrypted object store, by options whose names tell which key it is.
package struct KeyFileOptions<Role: KeyRole>: ParsableArguments {
    @Option(
        name: .customLong(Role.prefix + "key-file"),
        help: "A file with the key \(Role.owner): 32 bytes, or 64 hexadecimal digits."
    )
    var file: String?
    @Option(
        name: .customLong(Role.prefix + "passphrase-file"),
        help: "A file with the passphrase \(Role.owner), on one line."
    )
    var passphraseFile: String?

    @Flag(name: .customLong(Role.prefix + "trust-schema"), help: Role.trust)
    package var trustsSchema = false

    package init() {}

    package func validate() throws {
        if file != nil, passphraseFile != nil {
            throw ValidationError(
                "--\(Role.prefix)key-file and --\(Role.prefix)passphrase-file exclude each other."
            )
        }
    }

    /// Reads the key; nil where none is named.
    ///
    /// - Throws: ``ToolError`` for a file that cannot be read or has no key.
    package func key() throws -> StoreKey? {
        if let file { return try KeyFile.key(file) }
        return try passphraseFile.map { try KeyFile.passphrase($0) }
    }
}

/// Which key of a command's it is.
package protocol KeyRole {
    /// What the options' names begin with.
    static var prefix: String { get }
    /// Whose key it is, as it goes on behind "the key".
    static var owner: String { get }
    /// What is said of the flag by which the schema of a SQLite file is trusted.
    static var trust: ArgumentHelp { get }
}

extension KeyRole {
    package static var trust: ArgumentHelp {
        "Trust the tables, triggers and views of a SQLite file, which may call functions of this program."
    }
}

/// The key of the store that a command opens.
package typealias KeyOptions = KeyFileOptions<StoreRole>

/// The key of the other store, where a command opens two.
package typealias TargetKeyOptions = KeyFileOptions<TargetRole>

/// The key that a store is given in the place of its own.
package typealias NewKeyOptions = KeyFileOptions<NewRole>

package enum StoreRole: KeyRole {
    package static let prefix = ""
    package static let owner = "of an encrypted object store"
}

package enum TargetRole: KeyRole {
    package static let prefix = "target-"
    package static let owner = "of the target, with which a new object store is encrypted"
}

package enum NewRole: KeyRole {
    package static let prefix = "new-"
    package static let owner = "that the store is given"
    package static let trust = ArgumentHelp.hidden
}
