public import Foundation

/// The one error type of the library.
///
/// `description` names what went wrong and where, and never shows a stored value or a secret, so it
/// may go to a log. `debugDescription` adds the value's key, the engine's own message and the
/// underlying error, which may show data.
public struct DBClientError: Error, Sendable {
    /// Behind a reference, since each condition and each request carries an error that is mostly not
    /// there, and a struct of nine fields would be copied with every step of building one.
    private var details: Details

    /// The kind of failure; compare it with the constants, to which later versions may add.
    public var code: Code { details.content.code }

    /// A description of what went wrong, without stored values.
    public var message: String { details.content.message }

    /// The stored name of the entity concerned.
    public var entity: String? {
        get { details.content.entity }
        set { content.entity = newValue }
    }

    /// The stored name of the field concerned.
    public var field: String? {
        get { details.content.field }
        set { content.field = newValue }
    }

    /// The primary key concerned, rendered as text.
    ///
    /// Shown by `debugDescription` only.
    public var key: String? {
        get { details.content.key }
        set { content.key = newValue }
    }

    /// Advice on what to do about the failure, if there is any.
    public var hint: String? {
        get { details.content.hint }
        set { content.hint = newValue }
    }

    /// The engine's own code, such as SQLite's extended result code or a server's SQLSTATE.
    public var engineCode: EngineCode? {
        get { details.content.engineCode }
        set { content.engineCode = newValue }
    }

    /// The engine's own message, which may contain values.
    ///
    /// Shown by `debugDescription` only.
    public var engineMessage: String? {
        get { details.content.engineMessage }
        set { content.engineMessage = newValue }
    }

    /// The error that caused this one.
    public var underlying: (any Error)? {
        get { details.content.underlying }
        set { content.underlying = newValue }
    }

    /// Creates an error from its code, its message and what they concern.
    public init(
        _ code: Code,
        _ message: String,
        entity: String? = nil,
        field: String? = nil,
        key: String? = nil,
        hint: String? = nil,
        engineCode: EngineCode? = nil,
        engineMessage: String? = nil,
        underlying: (any Error)? = nil
    ) {
        details = Details(
            Content(
                code: code,
                message: message,
                entity: entity,
                field: field,
                key: key,
                hint: hint,
                engineCode: engineCode,
                engineMessage: engineMessage,
                underlying: underlying
            )
        )
    }

    private struct Content: Sendable {
        let code: Code
        let message: String
        var entity: String?
        var field: String?
        var key: String?
        var hint: String?
        var engineCode: EngineCode?
        var engineMessage: String?
        var underlying: (any Error)?
    }

    private final class Details: Sendable {
        let content: Content

        init(_ content: Content) { self.content = content }
    }

    private var content: Content {
        get { details.content }
        set { details = Details(newValue) }
    }
}

extension DBClientError {
    /// A kind of failure.
    ///
    /// Open for growth: switch over it with a default.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code's constant, such as `notFound`.
        public let description: String

        private init(_ description: String) {
            self.description = description
        }

        /// Something that must exist was not found: a value, or the database or role that a client connects
        /// to.
        public static let notFound = Code("notFound")
        /// An inserted primary key exists already.
        public static let duplicateKey = Code("duplicateKey")
        /// A unique field or index already holds the value.
        public static let uniqueViolation = Code("uniqueViolation")
        /// A check, a required value or another rule of the store was broken.
        public static let constraintViolation = Code("constraintViolation")
        /// A key names a related value that is not stored.
        public static let danglingReference = Code("danglingReference")
        /// A value is still held by another, whose relationship denies its deletion.
        public static let deletionDenied = Code("deletionDenied")
        /// A value that cannot be kept or computed: NaN, text with NUL, an unsigned integer over
        /// `Int64.max`, one that is too long or too large for its field, a sum beyond `Int64`.
        public static let invalidValue = Code("invalidValue")
        /// A stored value does not fit the model that reads it.
        public static let decoding = Code("decoding")
        /// A request that makes no sense: an unknown field, a negative limit.
        public static let invalidRequest = Code("invalidRequest")
        /// The stored shape of an entity differs from the model's.
        public static let schemaMismatch = Code("schemaMismatch")
        /// The stored shape of an entity differs from the model's in a way that no step of the migration
        /// covers.
        public static let migrationRequired = Code("migrationRequired")
        /// The model itself is malformed: no primary key, two fields of one name.
        public static let invalidSchema = Code("invalidSchema")
        /// Concurrent transactions could not all succeed; this one was rolled back.
        public static let transactionConflict = Code("transactionConflict")
        /// The connection was lost while the commit was under way: it may have happened or not.
        public static let commitOutcomeUnknown = Code("commitOutcomeUnknown")
        /// The transaction has ended; its handle was kept and used too late.
        public static let transactionEnded = Code("transactionEnded")
        /// A resource that the call needs is in use for longer than the time-out: the store, a lock, a
        /// connection of the pool or of the server; or the caller itself holds it and would deadlock.
        public static let busy = Code("busy")
        /// The server could not be reached, or went away.
        public static let connectionLost = Code("connectionLost")
        /// An answer did not come in time: a server's, or a statement's that took too long and was ended.
        public static let timeout = Code("timeout")
        /// The task was cancelled before the commit, or the statement was interrupted; nothing was written.
        public static let cancelled = Code("cancelled")
        /// No space is left: on the disk, in the store, or for another generated key.
        public static let full = Code("full")
        /// The file is damaged or is not a store of this kind.
        public static let corrupt = Code("corrupt")
        /// The store is encrypted, and it was opened without a key.
        public static let keyRequired = Code("keyRequired")
        /// The store is encrypted with another key than the one that it was opened with.
        public static let wrongKey = Code("wrongKey")
        /// The store is not encrypted, and it was opened with a key.
        public static let notEncrypted = Code("notEncrypted")
        /// A write where there is only reading: through a client, transaction, file, file system or server
        /// that allows for no more.
        public static let readOnly = Code("readOnly")
        /// Access was refused: by the operating system to a file, by a server to a login or to what its role
        /// does, or to a server whose certificate is not trusted.
        public static let permission = Code("permission")
        /// The engine does not offer this.
        public static let unsupported = Code("unsupported")
        /// The client was closed, or is being closed.
        public static let closed = Code("closed")
        /// A file could not be opened, read or written, here or by the server.
        public static let io = Code("io")
        /// The engine failed in a way that has no code of its own.
        public static let engine = Code("engine")
    }
}

extension DBClientError: CustomStringConvertible, CustomDebugStringConvertible {
    /// Code, place, message and hint, without stored values.
    public var description: String {
        var text = code.description
        if let place { text += " (\(place))" }
        text += ": \(message)"
        if let hint { text += " \(hint)" }
        if let engineCode { text += " [engine code \(engineCode)]" }
        return text
    }

    /// Everything that is known, stored values included.
    public var debugDescription: String {
        var text = description
        if let key { text += " key=\(key)" }
        if let engineMessage { text += " engine=\(engineMessage)" }
        if let underlying { text += " underlying=\(String(reflecting: underlying))" }
        return text
    }

    private var place: String? {
        switch (entity, field) {
        case (let entity?, let field?): "\(entity).\(field)"
        case (let entity?, nil): entity
        case (nil, let field?): field
        case (nil, nil): nil
        }
    }
}

extension DBClientError: LocalizedError {
    /// The message, without stored values, which `localizedDescription` returns.
    public var errorDescription: String? { message }

    /// Advice on what to do about the failure, if there is any.
    public var recoverySuggestion: String? { hint }
}

extension DBClientError: CustomReflectable {
    /// Shows what `description` shows, so that a mirror in a log keeps values back.
    ///
    /// `dump` and the printing of an optional or a list of errors use `debugDescription`.
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description])
    }
}
