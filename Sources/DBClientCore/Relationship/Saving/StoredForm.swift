/// A value as it is stored: its fields by their stored names, with what it holds.
package struct StoredForm {
    /// The content of one field or relationship.
    package enum Content {
        case value(StorageValue)
        /// A value of another model, or none.
        case held(StoredForm?)
        /// The key of a value of another model, or none.
        case reference([StorageValue]?)
        case list([StoredForm])
        /// Values of another model, in no order.
        case set([StoredForm])
        case references([[StorageValue]])
    }

    /// The stored name of the entity.
    package let entity: String
    /// The fields in the order of the schema.
    package let fields: [(name: String, content: Content)]

    /// Creates the stored form of a value and of everything that it holds.
    package init<Model: StoredConvertible>(_ model: Model) throws {
        let forms = try Self.of([model.storage(existing: nil)])
        self = forms[0]
    }

    private init(entity: String, fields: [(name: String, content: Content)]) {
        self.entity = entity
        self.fields = fields
    }

    /// Returns the forms of values, in their order.
    static func of<Model: Stored>(_ models: [Model]) throws -> [StoredForm] {
        let schema = Model.schema
        try schema.entity.validate()
        let encoded = try EncodedModels(models, keepingKeys: true)
        var held: [ObjectIdentifier: [StoredForm]] = [:]
        for collection in encoded.graph?.collections ?? [] {
            held[ObjectIdentifier(collection)] = try collection.forms()
        }
        return models.indices.map { row in
            var fields: [(name: String, content: Content)] = []
            var slot = 0
            while slot < schema.layout.fields.count {
                if let branch = encoded.graph?.branch(at: slot) {
                    let forms = branch.collection.flatMap { held[ObjectIdentifier($0)] }
                    let name = branch.relationship.name
                    fields.append((name, branch.content(of: row, forms)))
                    slot += branch.relationship.link == nil ? branch.relationship.columns.count : 1
                } else {
                    let value = encoded.rows.withBatch { StorageValue($0[row, slot]) }
                    fields.append((schema.layout.fields[slot].name, .value(value)))
                    slot += 1
                }
            }
            return StoredForm(entity: schema.entity.name, fields: fields)
        }
    }
}

extension RelationshipValues {
    /// Returns what a row has, given the forms of all values in the branch's collection.
    fileprivate func content(of row: Int, _ forms: [StoredForm]?) -> StoredForm.Content {
        let isToMany = relationship.link != nil
        guard let forms else {
            let keys = keys(of: row)
            return isToMany ? .references(keys) : .reference(keys.first)
        }
        let held = elements(of: row).map { forms[Int($0)] }
        guard isToMany else { return .held(held.first) }
        return relationship.kind == .set ? .set(held) : .list(held)
    }
}
