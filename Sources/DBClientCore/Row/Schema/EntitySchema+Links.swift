extension EntitySchema {
    /// Whether an entity without relationships has the fields and the key that links have, and so may be
    /// mistaken for links.
    ///
    /// Exactly those: keeping it asks for a table that an adopted database may not let the program make.
    static func resemblesLinks(_ fields: [FieldSchema], primaryKey: [Int]) -> Bool {
        func columns(_ role: String) -> [Int] {
            let lone = fields.indices.filter { fields[$0].name == role }
            return lone.isEmpty
                ? fields.indices.filter { fields[$0].name.hasPrefix(role + "_") } : lone
        }
        let (owner, target) = (columns("owner"), columns("target"))
        let position = fields.indices.filter { fields[$0].name == "position" }
        // A key of one field has the name of its side alone.
        func isSide(_ columns: [Int], _ role: String) -> Bool {
            columns.count > 1 || columns.count == 1 && fields[columns[0]].name == role
        }
        return isSide(owner, "owner") && isSide(target, "target")
            && fields.count == owner.count + position.count + target.count
            && Set(primaryKey) == Set(owner + (position.isEmpty ? target : position))
    }
}
