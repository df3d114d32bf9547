/// How the rows of a query are put together from those of several entities, as engines see it.
///
/// The query's entity has the fields of every part, one part's after the other's, and its primary key is theirs together.
/// Each row of the first part is followed by each row of the second that belongs to it, and so on.
public struct RowJoin: Hashable, Sendable {
    /// An entity of the join, and where its fields are in the joined rows; an entity that occurs twice has two parts.
    public struct Part: Hashable, Sendable {
        /// The entity whose rows are joined.
        public let entity: EntitySchema
        /// The position of the entity's first field among those of the joined rows.
        public let offset: Int
        /// Whether what was joined before is kept where none of these rows belongs to it, with nil in their fields.
        public let isOptional: Bool
        /// What joined rows must fulfil for the part's to belong to those before: on fields of parts up to this one.
        ///
        /// It goes through no relationship.
        public var condition: RowCondition

        /// Creates a part, by default one whose rows belong to all before.
        public init(
            _ entity: EntitySchema,
            at offset: Int,
            isOptional: Bool = false,
            where condition: RowCondition = .constant(true)
        ) {
            self.entity = entity
            self.offset = offset
            self.isOptional = isOptional
            self.condition = condition
        }

        /// The positions of the entity's fields among those of the joined rows.
        public var columns: Range<Int> { offset..<offset + entity.fields.count }
    }

    /// The parts, of which the first is not optional and has no condition.
    public var parts: [Part]

    /// Creates a join of parts, in the order of their offsets.
    public init(_ parts: [Part]) {
        self.parts = parts
    }

    /// Returns the part that has a field of the joined rows.
    public func part(of column: Int) -> Int {
        parts.lastIndex { $0.offset <= column } ?? 0
    }
}

extension EntitySchema {
    /// Creates the entity of rows that are put together from those of others.
    ///
    /// A field goes by its entity's name and its own, `Line.price`; an entity that occurs again is told apart by a number.
    convenience init(joining parts: [(entity: EntitySchema, isOptional: Bool)]) {
        var names: [String] = []
        var seen = Set<[UInt8]>()
        var fields: [FieldSchema] = []
        var keys: [Int] = []
        for part in parts {
            let offset = fields.count
            let name = part.entity.name
            let same = names.count { asciiFolded($0).elementsEqual(asciiFolded(name)) }
            names.append(name)
            let prefix = same == 0 ? name : "\(name) \(same + 1)"
            for field in part.entity.fields {
                let joined = "\(prefix).\(field.name)"
                let isName =
                    joined.utf8.count <= Self.maximumNameLength
                    && seen.insert(Array(asciiFolded(joined))).inserted
                fields.append(
                    FieldSchema(
                        name: isName ? joined : "\(fields.count + 1)",
                        type: field.type,
                        isOptional: field.isOptional || part.isOptional,
                        form: field.form
                    )
                )
            }
            keys += part.entity.primaryKey.map { $0 + offset }
        }
        self.init(
            name: names.joined(separator: " + "),
            fields: fields,
            primaryKey: keys,
            keyGeneration: .given,
            indexes: [],
            failure: parts.lazy.compactMap(\.entity.failure).first
                ?? (fields.count > Self.maximumFieldCount
                    ? DBClientError(
                        .invalidRequest,
                        "Joined models must have at most \(Self.maximumFieldCount) fields together; got \(fields.count).",
                        entity: names.first
                    ) : nil),
            isStored: false
        )
    }
}
