/// The values of other models that the rows of a buffer contain, collected while they are written.
final class RowGraph {
    /// The relationships of the rows' entity that hold other values.
    let branches: [RelationshipValues]
    /// The related values that are saved with their owners, by model.
    private(set) var collections: [any CollectedModels] = []
    private var branchOfSlot: [Int: Int] = [:]

    init(_ entity: EntitySchema) {
        var collectionOfTarget: [ObjectIdentifier: any CollectedModels] = [:]
        var made: [any CollectedModels] = []
        branches = entity.relationships.map { relationship in
            guard let related = relationship.relatedModel else {
                return RelationshipValues(relationship, nil, nil)
            }
            let target = related.entity()
            if relationship.isByReference {
                return RelationshipValues(
                    relationship,
                    nil,
                    RowBuffer(target, columns: target.primaryKey)
                )
            }
            // Several relationships to one model are saved together.
            let known = collectionOfTarget[ObjectIdentifier(target)]
            let collection = known ?? related.makeCollection()
            if known == nil {
                collectionOfTarget[ObjectIdentifier(target)] = collection
                made.append(collection)
            }
            return RelationshipValues(relationship, collection, nil)
        }
        collections = made
        for (index, branch) in branches.enumerated() {
            branchOfSlot[branch.relationship.slot] = index
        }
    }

    /// Whether two rows hold the same, values compared by all that they hold.
    func isSame(_ left: Int, _ right: Int) throws -> Bool {
        try branches.allSatisfy { try $0.isSame($0.elements(of: left), $0.elements(of: right)) }
    }

    /// Returns the branch of the relationship whose first slot is at a position.
    func branch(at slot: Int) -> RelationshipValues? {
        branchOfSlot[slot].map { branches[$0] }
    }
}

/// The values that the rows of a buffer contain through one relationship.
final class RelationshipValues {
    let relationship: RelationshipSchema
    /// The values; nil where only keys are held.
    let collection: (any CollectedModels)?
    private let referencedKeys: RowBuffer?
    /// Where the elements of each row begin.
    private var starts: [Int] = []
    /// The place of each element among the keys.
    private(set) var elements: [Int32] = []

    init(
        _ relationship: RelationshipSchema,
        _ collection: (any CollectedModels)?,
        _ referencedKeys: RowBuffer?
    ) {
        self.relationship = relationship
        self.collection = collection
        self.referencedKeys = referencedKeys
    }

    /// Returns a branch of another relationship that holds the same.
    func moved(to relationship: RelationshipSchema) -> RelationshipValues {
        let branch = RelationshipValues(relationship, collection, referencedKeys)
        branch.starts = starts
        branch.elements = elements
        return branch
    }

    /// The keys of the elements, of those that are saved or those that are referred to; nil without any.
    var keys: RowBuffer? { collection?.keys ?? referencedKeys }

    /// Whether the rows have keys alone whose values must be stored.
    var mustBeThere: Bool {
        collection == nil && relationship.rule != .weak && (keys?.count ?? 0) > 0
    }

    /// Returns the places of a row's elements.
    func elements(of row: Int) -> ArraySlice<Int32> {
        let end = row + 1 < starts.count ? starts[row + 1] : elements.count
        return elements[starts[row]..<end]
    }

    fileprivate func isSame(
        _ left: ArraySlice<Int32>,
        _ right: ArraySlice<Int32>
    ) throws -> Bool {
        guard left.count == right.count else { return false }
        return try zip(left, right).allSatisfy { left, right in
            if let collection { return try collection.isSame(Int(left), Int(right)) }
            return keys?.isSame(Int(left), Int(right)) ?? true
        }
    }

    /// Returns the keys of a row's elements, in their order.
    func keys(of row: Int) -> [[StorageValue]] {
        guard let keys else { return [] }
        return keys.withBatch { batch in elements(of: row).map { batch.values(at: Int($0)) } }
    }

    func beginRow() {
        starts.append(elements.count)
    }

    func add<Model: Stored>(_ model: Model) throws -> Int {
        guard let collection = collection as? Collected<Model> else {
            throw DBClientError(
                .invalidSchema,
                "write(to:) must write the schema's model, \(relationship.targetName); got \(Model.self).",
                field: relationship.name
            )
        }
        let element = try collection.add(model)
        elements.append(Int32(element))
        return element
    }

    func add<Key: PrimaryKeyValue>(key: Key) throws {
        guard let referencedKeys else {
            throw DBClientError(
                .invalidSchema,
                "write(to:) must write a value here, as the schema says; got a reference.",
                field: relationship.name
            )
        }
        elements.append(Int32(referencedKeys.count))
        var row = try referencedKeys.beginRow()
        try key.write(to: &row)
        try referencedKeys.endRow(row)
    }
}

/// Values of one model on their way to the store.
protocol CollectedModels: AnyObject {
    /// The primary key of each value, complete once the values are saved.
    var keys: RowBuffer { get }
    /// Saves the values: new ones are inserted, changed ones updated, equal ones left alone.
    func save(with writer: GraphWriter) throws
    /// Whether the values at two places are the same in all that they hold.
    func isSame(_ left: Int, _ right: Int) throws -> Bool
    /// Returns entities like the values, in their order.
    func entities(in context: EntityContext) throws -> [ManagedEntity]
    /// Whether one of the values, or what they hold so deep, comes in the place of a deleted entity.
    func replacesDeleted(in context: EntityContext, _ depth: Int) throws -> Bool
    /// Returns the values as they are stored, in their order.
    func forms() throws -> [StoredForm]
    /// Checks the values, which are held so deep, and what they hold.
    func check(
        with interceptor: any TransactionInterceptor,
        in transaction: ReadTransaction,
        depth: Int
    ) throws
    /// Returns the field at the end of a path from the value at a place.
    func value(
        of place: Int,
        column: Int,
        through path: ArraySlice<RelatedRows>
    ) throws -> StorageValue
}

final class Collected<Model: Stored>: CollectedModels {
    private var models: [Model] = []
    let keys: RowBuffer
    /// The values as they are to be stored, once two of them were compared.
    private var encoded: EncodedModels?

    init() {
        let entity = Model.schema.entity
        keys = RowBuffer(entity, columns: entity.primaryKey)
    }

    /// Adds a value and returns its place.
    func add(_ model: Model) throws -> Int {
        var row = try keys.beginRow()
        try model.primaryKey.write(to: &row)
        try keys.endRow(row)
        models.append(model)
        return models.count - 1
    }

    func save(with writer: GraphWriter) throws {
        if !models.isEmpty { try writer.save(models, keys) }
    }

    func isSame(_ left: Int, _ right: Int) throws -> Bool {
        if left == right { return true }
        let encoded = try self.encoded ?? EncodedModels(models, keepingKeys: true)
        self.encoded = encoded
        return try encoded.rows.isSame(left, right)
            && encoded.graph?.isSame(left, right) ?? true
    }

    func entities(in context: EntityContext) throws -> [ManagedEntity] {
        models.isEmpty ? [] : try context.entities(like: models)
    }

    func replacesDeleted(in context: EntityContext, _ depth: Int) throws -> Bool {
        try !models.isEmpty && context.replacesDeleted(models, depth)
    }

    func check(
        with interceptor: any TransactionInterceptor,
        in transaction: ReadTransaction,
        depth: Int
    ) throws {
        if models.isEmpty { return }
        try interceptor.checkGraph(of: models, in: transaction, depth: depth)
    }

    func forms() throws -> [StoredForm] {
        models.isEmpty ? [] : try StoredForm.of(models)
    }

    func value(
        of place: Int,
        column: Int,
        through path: ArraySlice<RelatedRows>
    ) throws -> StorageValue {
        try Model.value(of: models[place], column: column, through: path)
    }
}

extension RowBuffer {
    /// Whether two rows are equal in every column.
    func isSame(_ left: Int, _ right: Int) -> Bool {
        withBatch { batch in
            columns.indices.allSatisfy { Slot.compare(batch[left, $0], batch[right, $0]) == 0 }
        }
    }
}
