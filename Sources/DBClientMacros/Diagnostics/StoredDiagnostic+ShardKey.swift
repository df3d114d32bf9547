#if Macros
/// The diagnostics about a shard key.
extension StoredDiagnostic {
    static func shardKeyInEmbedded(_ property: String) -> Self {
        Self(
            """
            '\(property)' cannot be a shard key, since an '@Embedded' value is part of its owner's row; \
            remove '@ShardKey'
            """
        )
    }

    static func secondShardKey(_ property: String, after first: String) -> Self {
        Self("'\(property)' cannot be a shard key, since '\(first)' is one; remove one of them")
    }

    static func shardKeyBesidePrimaryKey(_ property: String) -> Self {
        Self(
            """
            the shard key '\(property)' must be a part of the primary key; mark it '@PrimaryKey' as well
            """
        )
    }

    static func uniqueBesideShardKey(_ property: String, _ shardKey: String) -> Self {
        Self(
            """
            '\(property)' cannot be unique without the shard key '\(shardKey)', since a shard knows of its \
            own rows alone; declare '.unique(\\.\(shardKey), \\.\(property))' in 'indexes'
            """
        )
    }
}
#endif
