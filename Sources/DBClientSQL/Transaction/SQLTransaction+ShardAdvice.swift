import DBClientCore

// What a request does not say, so that every shard is asked.
extension SQLTransaction {
    /// Returns a sentence for each entity whose rows are looked for on every shard.
    func shardAdvice(on query: RowQuery) -> [String] {
        ShardRoute.entitiesOfEveryShard(query).map { entity in
            let name = entity.shardKey.map { entity.fields[$0].name } ?? ""
            return """
                Every shard is asked for "\(entity.name)": no condition says its shard key, "\(name)".
                """
        }
    }
}
