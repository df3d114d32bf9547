import ArgumentParser
package import DBClientCore

/// The key of the encrypted object store that a command opens.
package struct KeyOptions: ParsableArguments {
    @Option(
        name: .customLong("key-file"),
        help: "A file with the key of an encrypted object store: 32 bytes or 64 hexadecimal digits."
    )
    var file: String?
    @Option(
        name: .customLong("passphrase-file"),
        help: "A file with the passphrase of an encrypted object store, on one line."
    )
    var passphraseFile: String?

    package init() {}

    package func validate() throws {
        if file != nil, passphraseFile != nil {
            throw ValidationError(
                "--key-file and --passphrase-file exclude each other."
            )
        }
    }

    /// Reads the key; nil where none is named.
    package func key() throws -> StoreKey? {
        if let file { return try KeyFile.key(file) }
        return try passphraseFile.map { try KeyFile.passphrase($0) }
    }
}

/// The key of the other encrypted object store, where a command opens two.
package struct TargetKeyOptions: ParsableArguments {
    @Option(
        name: .customLong("target-key-file"),
        help: "A file with the key of the target, with which a new object store is encrypted."
    )
    var file: String?
    @Option(
        name: .customLong("target-passphrase-file"),
        help: "A file with the passphrase of the target, on one line."
    )
    var passphraseFile: String?

    package init() {}

    package func validate() throws {
        if file != nil, passphraseFile != nil {
            throw ValidationError(
                "--target-key-file and --target-passphrase-file exclude each other."
            )
        }
    }

    /// Reads the key; nil where none is named.
    package func key() throws -> StoreKey? {
        if let file { return try KeyFile.key(file) }
        return try passphraseFile.map { try KeyFile.passphrase($0) }
    }
}
