extension Schema {
    /// Returns the hops from a value of another entity to the values that lead to it through a property.
    ///
    /// - Throws: `.invalidRequest` where the property is no relationship to the entity and holds no primary key of it.
    func hops(
        from target: EntitySchema,
        inverting link: AnyKeyPath
    ) throws(DBClientError) -> [RelatedRows] {
        if let relationship = relationship(of: link) {
            guard relationship.target === target else { throw isNoLink(link, to: target) }
            guard let links = relationship.link else {
                return [RelatedRows(entity, relationship.columns, matching: target.primaryKey)]
            }
            return links.hops(from: target, to: entity)
        }
        guard let columns = columns(of: link),
            columns.map({ entity.fields[$0].type })
                == target.primaryKey.map({ target.fields[$0].type })
        else { throw isNoLink(link, to: target) }
        return [RelatedRows(entity, Array(columns), matching: target.primaryKey)]
    }

    private func isNoLink(_ link: AnyKeyPath, to target: EntitySchema) -> DBClientError {
        DBClientError(
            .invalidRequest,
            "The \(link.named) must be a relationship to \(target.name) or hold a primary key of it.",
            entity: entity.name
        )
    }
}
