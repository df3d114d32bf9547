import DBClientCore
import DBClientSQL
import Foundation

/// Reads the relationships that the library has noted in a database.
struct RelationshipNotes {
    /// The form in which an entity and its relationships are kept, as far as it is needed here.
    private struct Description: Decodable {
        struct Entity: Decodable {
            var name: String
            var fields: [Field]?
        }

        struct Field: Decodable {
            var name: String
        }

        struct Relationship: Decodable {
            var name: String
            var kind: CatalogRelationship.Kind
            var columns: [Int]
            var link: Entity?
            var target: String
            var rule: DeleteRule
        }

        var entity: Entity
        var relationships: [Relationship]
    }

    /// The table of the notes.
    static let table = "dbclient_relationships"

    private let transaction: ReadTransaction

    init(_ transaction: ReadTransaction) {
        self.transaction = transaction
    }

    /// Returns the relationships of a database that has the table of the notes.
    func relationships() throws -> [CatalogRelationship] {
        let rows = try transaction.rows(
            "SELECT description FROM dbclient_relationships ORDER BY entity"
        )
        return try rows.flatMap { row in
            let text = try row.value("description", as: String.self)
            let description = try Self.description(of: text)
            let fields = description.entity.fields ?? []
            return description.relationships.map { relationship in
                CatalogRelationship(
                    table: description.entity.name,
                    name: relationship.name,
                    kind: relationship.kind,
                    columns: relationship.columns.compactMap {
                        fields.indices.contains($0) ? fields[$0].name : nil
                    },
                    links: relationship.link?.name,
                    target: relationship.target,
                    rule: relationship.rule
                )
            }
        }
    }

    private static func description(of json: String) throws -> Description {
        do {
            return try JSONDecoder().decode(Description.self, from: Data(json.utf8))
        } catch let error as DecodingError {
            throw DBClientError(
                .decoding,
                "A description in \(table) must be one that the library has written: \(error)"
            )
        }
    }

    /// Returns the columns of a note of a table: a JSON list with a list of a name and a form for each.
    static func pairs(in json: String) -> [(name: String, note: String)] {
        guard let columns = try? JSONDecoder().decode([[String]].self, from: Data(json.utf8)) else {
            return []
        }
        return columns.filter { $0.count == 2 }.map { ($0[0], $0[1]) }
    }
}
