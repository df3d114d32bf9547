/// One call of a transaction, as a decorator sees it: the verb and the entity, without a value.
public struct TransactionCall: Sendable {
    /// The verb of a call: what it does to the store.
    public enum Kind: String, Sendable, CaseIterable {
        case find
        case fetch
        case forEach
        case count
        case aggregate
        case distinct
        /// Some fields of values are read, without a model.
        case select
        /// Values are put together by fields.
        case group
        case explain
        case insert
        /// Values are inserted unless they conflict with stored ones.
        case insertIfAbsent
        /// Rows are inserted that are made from those of a request.
        case insertMatching
        case update
        case updateExisting
        case upsert
        /// Some fields of values are written, by their keys.
        case assign
        /// Some fields of the values of a request are written.
        case assignMatching
        case delete
        case deleteMatching
        /// A savepoint: a write inside the write.
        case savepoint
        /// The store is made to fit models.
        case migrate
        /// A custom query asks for rows.
        case query
        /// A custom statement is executed.
        case execute

        /// Whether a call of this kind writes to the store.
        public var isWrite: Bool {
            switch self {
            case .find, .fetch, .forEach, .count, .aggregate, .distinct, .select, .group, .explain,
                .query:
                false
            default: true
            }
        }
    }

    /// The verb of the call: what it does to the store.
    public let kind: Kind
    /// The stored name of the entity; nil where the call has none of its own.
    public let entity: String?
    /// The stored names of the fields that are computed, selected or grouped by.
    public let fields: [String]
    /// How many values or keys are given; nil where a request is.
    public let givenCount: Int?
    /// The request as engines see it, values included; nil where there is none or it is malformed.
    public let query: RowQuery?
    /// The text of a custom statement, `?` for each value; nil for every other call.
    public let statement: String?

    /// Creates the description of a call from its parts.
    public init(
        _ kind: Kind,
        entity: String?,
        fields: [String] = [],
        givenCount: Int? = nil,
        query: RowQuery? = nil,
        statement: String? = nil
    ) {
        self.kind = kind
        self.entity = entity
        self.fields = fields
        self.givenCount = givenCount
        self.query = query
        self.statement = statement
    }
}
