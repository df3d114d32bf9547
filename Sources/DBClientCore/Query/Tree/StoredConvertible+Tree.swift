extension StoredConvertible {
    /// Returns a request for the values below one: those that name it as their parent, those that name these, and so on.
    ///
    /// ```swift
    /// Category.descendants(of: 1, through: \.parent)
    /// ```
    ///
    /// - Parameters:
    ///   - key: The primary key of the value that the walk starts from; where none is stored, nothing is found.
    ///   - link: A reference or a field with the primary key of a value's parent, or a to-many relationship to its
    ///     children.
    /// - Returns: A request for values at a depth of one and more.
    public static func descendants<Link: TreeLink<PrimaryKey>>(
        of key: PrimaryKey,
        through link: KeyPath<Storage, Link>
    ) -> TreeRequest<Self> {
        descendants(of: [key], through: link)
    }

    /// Returns a request for the values below any of several; their depth counts from the nearest of these.
    ///
    /// One of them is not given as a value below another.
    ///
    /// - Parameters:
    ///   - keys: The primary keys of the values that the walk starts from.
    ///   - link: A reference or a field with the primary key of a value's parent, or a to-many relationship to its
    ///     children.
    /// - Returns: A request for values at a depth of one and more.
    public static func descendants<Link: TreeLink<PrimaryKey>>(
        of keys: [PrimaryKey],
        through link: KeyPath<Storage, Link>
    ) -> TreeRequest<Self> {
        TreeRequest(from: keys, through: link, isUpwards: false)
    }

    /// Returns a request for the values above one: its parent, the parent of that, and so on.
    ///
    /// ```swift
    /// Category.ancestors(of: 12, through: \.parent)
    /// ```
    ///
    /// - Parameters:
    ///   - key: The primary key of the value that the walk starts from; where none is stored, nothing is found.
    ///   - link: A reference or a field with the primary key of a value's parent, or a to-many relationship to its
    ///     children.
    /// - Returns: A request for values at a depth of one and more.
    public static func ancestors<Link: TreeLink<PrimaryKey>>(
        of key: PrimaryKey,
        through link: KeyPath<Storage, Link>
    ) -> TreeRequest<Self> {
        ancestors(of: [key], through: link)
    }

    /// Returns a request for the values above any of several; their depth counts from the nearest of these.
    ///
    /// One of them is not given as a value above another.
    ///
    /// - Parameters:
    ///   - keys: The primary keys of the values that the walk starts from.
    ///   - link: A reference or a field with the primary key of a value's parent, or a to-many relationship to its
    ///     children.
    /// - Returns: A request for values at a depth of one and more.
    public static func ancestors<Link: TreeLink<PrimaryKey>>(
        of keys: [PrimaryKey],
        through link: KeyPath<Storage, Link>
    ) -> TreeRequest<Self> {
        TreeRequest(from: keys, through: link, isUpwards: true)
    }
}

extension TreeRequest {
    fileprivate init<Link>(
        from keys: [Model.PrimaryKey],
        through link: KeyPath<Model.Storage, Link>,
        isUpwards: Bool
    ) {
        let entity = Model.storedEntity
        var query = RowQuery(TreeRows<Model>.schema.entity)
        query.orderings = [TreeRows<Model>.depthOrdering]
        do {
            if Model.self is any EngineConvertible.Type {
                throw DBClientError(
                    .unsupported,
                    "A model with shapes of several engines must not be walked.",
                    entity: entity.name
                )
            }
            try entity.validate()
            let keys = try keys.map { try Model.Storage.storedKey($0) }
            query.walk = RowWalk(
                entity,
                from: .keys(entity.primaryKey, in: keys),
                by: try Model.Storage.steps(through: link, isUpwards: isUpwards)
            )
            self.init(FetchRequest(query))
        } catch {
            self.init(FetchRequest(failing: DBClientError.wrapping(error)))
        }
    }
}

extension Stored {
    /// Returns the hops from a value to those below or above it.
    fileprivate static func steps<Link>(
        through link: KeyPath<Self, Link>,
        isUpwards: Bool
    ) throws -> [RelatedRows] {
        let entity = schema.entity
        let key = entity.primaryKey
        if let relationship = schema.relationship(of: link) {
            guard relationship.target === entity else {
                throw entity.isNoLink(link, "lead to values of \(entity.name) itself")
            }
            guard let links = relationship.link else {
                return [entity.step(by: relationship.columns, isUpwards: isUpwards)]
            }
            let (near, far) = isUpwards ? (links.target, links.owner) : (links.owner, links.target)
            return [
                RelatedRows(links.entity, near, matching: key),
                RelatedRows(entity, key, matching: far),
            ]
        }
        guard let columns = schema.columns(of: link) else {
            throw entity.isNoLink(link, "be stored")
        }
        guard columns.map({ entity.fields[$0].type }) == key.map({ entity.fields[$0].type }) else {
            throw entity.isNoLink(link, "hold a primary key of \(entity.name)")
        }
        return [entity.step(by: Array(columns), isUpwards: isUpwards)]
    }
}

extension EntitySchema {
    fileprivate func step(by parent: [Int], isUpwards: Bool) -> RelatedRows {
        isUpwards
            ? RelatedRows(self, primaryKey, matching: parent)
            : RelatedRows(self, parent, matching: primaryKey)
    }

    fileprivate func isNoLink(_ link: AnyKeyPath, _ need: String) -> DBClientError {
        DBClientError(
            .invalidRequest,
            "The \(link.named) must \(need) for a tree to go through it.",
            entity: name
        )
    }
}
