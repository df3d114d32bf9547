import DBClientCore
import DBClientTool

/// A row with what it refers to and what refers to it.
struct RowOutput: Encodable {
    let row: RowText
    let references: [Reference]
    let referrers: [Referrer]

    /// What a row refers to by one of its references.
    struct Reference: Encodable {
        let name: String
        let target: String
        let rows: [Named]
        /// The number of rows where they are not all listed, and that of keys of rows that are not stored.
        let count: Int
    }

    /// The rows that refer to a row by one reference of theirs.
    struct Referrer: Encodable {
        let name: String
        let owner: String
        /// The condition that finds them in a table; nil where their links alone tell which they are.
        let filter: String?
        /// Those that links tell of.
        let rows: [Named]
        let count: Int?
    }

    /// A row by its key, and the value that tells a person which row it is.
    struct Named: Encodable {
        let key: [String?]
        let label: String?
        let isStored: Bool
    }
}

extension StoreBrowser {
    /// The most rows of a list that are shown with a row.
    private static let listLength = 100
    /// The most characters of a value that can be edited on a page.
    static let detailLength = 1 << 20

    /// Returns a row with what it refers to and what refers to it, as of one snapshot.
    func row(_ input: KeyInput) async throws -> RowOutput {
        let map = map
        let entity = try map.entity(named: input.entity)
        let key = try entity.key(from: input.key)
        return try await client.read { transaction in
            guard let row = try transaction.find(entity, key: key) else {
                throw DBClientError(.notFound, "The row is no longer stored.", entity: entity.name)
            }
            return RowOutput(
                row: RowText(row, length: Self.detailLength),
                references: try map.references(of: entity).map {
                    try Self.described($0, of: row, in: transaction)
                },
                referrers: try map.references(to: entity).compactMap {
                    try Self.referrer($0, of: row, in: transaction)
                }
            )
        }
    }

    private static func described(
        _ reference: Reference,
        of row: DynamicRow,
        in transaction: ReadTransaction
    ) throws -> RowOutput.Reference {
        var named: [RowOutput.Named] = []
        var count = 0
        if let links = reference.links(of: row) {
            let rows = try transaction.fetch(links.limit(listLength + 1))
            count = rows.count > listLength ? try transaction.count(links) : rows.count
            for link in rows.prefix(listLength) {
                let key = reference.key(in: link, ofOwner: false)
                named.append(try name(key, of: reference.target, in: transaction))
            }
        } else if let request = reference.request(from: row) {
            count = 1
            if let target = try transaction.fetch(request.limit(1)).first {
                named = [name(target)]
            } else {
                let key = reference.values(of: row) ?? []
                named = [RowOutput.Named(key: key.map(FieldText.text), label: nil, isStored: false)]
            }
        }
        return RowOutput.Reference(
            name: reference.name,
            target: reference.target.name,
            rows: named,
            count: count
        )
    }

    private static func referrer(
        _ reference: Reference,
        of row: DynamicRow,
        in transaction: ReadTransaction
    ) throws -> RowOutput.Referrer? {
        guard let holders = reference.holders(of: row) else { return nil }
        guard reference.link != nil else {
            let parts = zip(reference.columns, reference.targetColumns).map { column, target in
                let value = row[reference.target.fields[target].name] ?? .null
                return "\(quoted(reference.owner.fields[column].name)) = \(literal(value))"
            }
            return RowOutput.Referrer(
                name: reference.name,
                owner: reference.owner.name,
                filter: parts.joined(separator: " and "),
                rows: [],
                count: nil
            )
        }
        let links = try transaction.fetch(holders.limit(listLength))
        var seen: Set<[DynamicValue]> = []
        let owners = links.map { reference.key(in: $0, ofOwner: true) }
            .filter { seen.insert($0).inserted }
        return RowOutput.Referrer(
            name: reference.name,
            owner: reference.owner.name,
            filter: nil,
            rows: try owners.map { try name($0, of: reference.owner, in: transaction) },
            count: links.count < listLength ? owners.count : try transaction.count(holders)
        )
    }

    private static func name(
        _ key: [DynamicValue],
        of entity: EntitySchema,
        in transaction: ReadTransaction
    ) throws -> RowOutput.Named {
        guard let row = try transaction.find(entity, key: key) else {
            return RowOutput.Named(key: key.map(FieldText.text), label: nil, isStored: false)
        }
        return name(row)
    }

    private static func name(_ row: DynamicRow) -> RowOutput.Named {
        let label = row.entity.labelPosition.flatMap { row[row.entity.fields[$0].name] }
        return RowOutput.Named(
            key: row.key.map(FieldText.text),
            label: label.flatMap(FieldText.text).map { String($0.prefix(80)) },
            isStored: true
        )
    }

    /// Returns a name as the text form of conditions takes it.
    private static func quoted(_ name: String) -> String {
        "\"\(name.replacing("\"", with: "\"\""))\""
    }

    /// Returns a value as the text form of conditions takes it.
    private static func literal(_ value: DynamicValue) -> String {
        let text = FieldText.text(value) ?? "null"
        return switch value {
        case .integer, .boolean, .null: text
        default: "'\(text.replacing("'", with: "''"))'"
        }
    }
}
