import DBClientCore

/// What the page shows of a store before it asks for rows.
struct StoreDescription: Encodable {
    let address: String
    let engine: String
    let isReadOnly: Bool
    /// Whether the commits of other processes are seen.
    let followsOthers: Bool
    let entities: [Entity]
    /// What no entity can show, and why.
    let omissions: [String]

    struct Entity: Encodable {
        let name: String
        let fields: [Field]
        /// The positions of the fields of the key.
        let key: [Int]
        /// Whether the store makes the keys of new rows.
        let makesKeys: Bool
        let indexes: [Index]
        let references: [Link]
        /// The position of the field that tells a person which row it is.
        let label: Int?
    }

    struct Field: Encodable {
        let name: String
        let type: String
        let isOptional: Bool
        /// Whether the database makes its values, so that it is only shown.
        let isComputed: Bool
        /// What a text of the type looks like.
        let form: String
    }

    struct Index: Encodable {
        let fields: [Int]
        let isUnique: Bool
    }

    /// A reference to another entity.
    struct Link: Encodable {
        let name: String
        let kind: String
        let target: String
        let fields: [Int]
        let rule: String
        let isForeignKey: Bool
        /// Whether the values of the fields are the key of a row of the target.
        let leadsToKey: Bool
    }
}

extension EntitySchema {
    /// The position of the field that most likely tells a person which row it is.
    var labelPosition: Int? {
        let texts = fields.indices.filter { fields[$0].type == .text && !primaryKey.contains($0) }
        for word in ["name", "title", "label"] {
            if let exact = texts.first(where: { fields[$0].name.lowercased() == word }) {
                return exact
            }
        }
        return texts.first { fields[$0].name.lowercased().hasSuffix("name") } ?? texts.first
    }
}
