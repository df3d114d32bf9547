import DBClientCore
import HTTPTypes

/// The rows that a deletion deletes or changes, by the rules of what refers to the deleted row.
struct Footprint {
    private let map: StoreMap
    private let transaction: ReadTransaction
    private var rows: [DynamicRow] = []
    private var seen: Set<RowName> = []

    /// The most rows that a deletion on the page may concern, since all of them are kept to undo it.
    static let limit = 10_000

    private struct RowName: Hashable {
        let entity: EntitySchema
        let key: [DynamicValue]
    }

    /// Returns the row, those that are deleted with it, and those that refer to them.
    ///
    /// - Throws: ``PageFailure`` where they are more than a page keeps.
    static func rows(
        ofDeleting row: DynamicRow,
        _ map: StoreMap,
        in transaction: ReadTransaction
    ) throws -> [DynamicRow] {
        var footprint = Footprint(map: map, transaction: transaction)
        try footprint.follow(row)
        return footprint.rows
    }

    private init(map: StoreMap, transaction: ReadTransaction) {
        (self.map, self.transaction) = (map, transaction)
    }

    private mutating func follow(_ row: DynamicRow) throws {
        _ = try add(row)
        var deleted = [row]
        while let next = deleted.popLast() {
            for reference in map.references(of: next.entity) {
                guard let links = reference.links(of: next) else { continue }
                for link in try fetch(links) { _ = try add(link) }
            }
            for reference in map.references(to: next.entity) where reference.rule != .weak {
                guard let holders = reference.holders(of: next) else { continue }
                for holder in try fetch(holders) {
                    guard reference.link != nil else {
                        if try add(holder), reference.rule == .cascade { deleted.append(holder) }
                        continue
                    }
                    try addList(of: holder, reference, deleted: &deleted)
                }
            }
        }
    }

    /// Adds a link and the others of its owner, whose positions change, and the owner where it is deleted.
    private mutating func addList(
        of link: DynamicRow,
        _ reference: Reference,
        deleted: inout [DynamicRow]
    ) throws {
        _ = try add(link)
        let key = reference.key(in: link, ofOwner: true)
        guard let owner = try transaction.find(reference.owner, key: key) else { return }
        if let links = reference.links(of: owner) {
            for other in try fetch(links) { _ = try add(other) }
        }
        if reference.rule == .cascade, try add(owner) { deleted.append(owner) }
    }

    private func fetch(_ request: DynamicRequest) throws -> [DynamicRow] {
        try transaction.fetch(request.limit(Self.limit + 1))
    }

    private mutating func add(_ row: DynamicRow) throws -> Bool {
        guard seen.insert(RowName(entity: row.entity, key: row.key)).inserted else { return false }
        rows.append(row)
        guard rows.count <= Self.limit else {
            throw PageFailure(
                .conflict,
                "tooMany",
                "A deletion on the page must concern at most \(Self.limit) rows, so that it can be undone; this one"
                    + " concerns more, by the rules of what refers to the row."
            )
        }
        return true
    }
}
