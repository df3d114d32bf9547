import CLibPQ
import DBClientCore
import DBClientSQL
import Foundation

@testable import DBClientPostgreSQL

extension FuzzTarget {
    /// A row as the server sends it: for each value a byte for its type, one for its length, and its bytes.
    ///
    /// libpq's own functions make the result that it would make of the server's messages.
    static let serverValues = FuzzTarget("server-values") {
        let values: [(ServerType, [UInt8])] = [
            (.boolean, [1]), (.bigint, [0, 0, 0, 0, 0, 0, 0, 7]), (.smallint, [0, 7]),
            (.integer, [0, 0, 0, 7]), (.real, [0x40, 0x49, 0x0F, 0xDB]),
            (.double, [0x40, 9, 0x21, 0xFB, 0x54, 0x44, 0x2D, 0x18]), (.text, Array("text".utf8)),
            (.timestamptz, [0, 2, 0, 0, 0, 0, 0, 0]), (.numeric, [0, 1, 0, 0, 0, 0, 0, 0, 0, 12]),
            (.numeric, [0, 2, 0, 1, 0x40, 0, 0, 2, 0, 1, 0x27, 0x0F]),
            (.uuid, [UInt8](1...16)), (.jsonb, [1] + Array(#"{"b": [1, 2], "a": null}"#.utf8)),
            (.bytea, [0, 255]), (.objectIdentifier, [0, 0, 0, 1]),
        ]
        return values.map(coded) + [values.flatMap(coded)]
    } decode: { input in
        var columns: [(type: Oid, bytes: UnsafeMutableRawBufferPointer)] = []
        var position = 0
        while position + 2 <= input.count, columns.count < 64 {
            let type = types[Int(input[position]) % types.count]
            let end = min(position + 2 + Int(input[position + 1]), input.count)
            columns.append(
                (type, UnsafeMutableRawBufferPointer(rebasing: input[position + 2..<end]))
            )
            position = end
        }
        guard let result = PQmakeEmptyPGresult(nil, PGRES_TUPLES_OK) else { return }
        defer { PQclear(result) }
        var name: [CChar] = [99, 0]
        name.withUnsafeMutableBufferPointer { name in
            var attributes = columns.map { column in
                PGresAttDesc(
                    name: name.baseAddress,
                    tableid: 0,
                    columnid: 0,
                    format: 1,
                    typid: column.type,
                    typlen: -1,
                    atttypmod: -1
                )
            }
            _ = PQsetResultAttrs(result, Int32(columns.count), &attributes)
        }
        for (index, column) in columns.enumerated() {
            _ = PQsetvalue(
                result,
                0,
                Int32(index),
                column.bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(column.bytes.count)
            )
        }
        guard PQntuples(result) == 1 else { return }
        let row = Row(of: result)
        for column in columns.indices {
            // One that is refused does not hide the next.
            guard let slot = try? row.value(result, 0, column) else { continue }
            if ServerType(rawValue: columns[column].type) == .numeric, slot.kind == .data {
                // The server has numbers beyond those of `Decimal`, which reading refuses.
                try require(
                    OrderedDecimal.isForm(slot.bytes) || OrderedDecimal.decode(slot.bytes) == nil,
                    "A decimal must have the one form that it is given."
                )
            }
            // The server sends no text but UTF-8: it has checked what it was given.
            if slot.kind != .text { _ = StorageValue(slot) }
        }
        _ = try row.values(result, 0)
    }

    private static let types: [Oid] =
        [
            ServerType.boolean, .bytea, .character, .name, .bigint, .smallint, .integer, .text,
            .objectIdentifier, .json, .real, .double, .unknown, .paddedCharacter, .varyingCharacter,
            .timestamp, .timestamptz, .numeric, .uuid, .jsonb, .textArray,
        ].map(\.rawValue) + [2278, 600]

    private static func coded(_ type: ServerType, _ bytes: [UInt8]) -> [UInt8] {
        [UInt8(types.firstIndex(of: type.rawValue) ?? 0), UInt8(bytes.count)] + bytes
    }

    /// The text of a `jsonb`.
    static let serverJSON = FuzzTarget("server-json") {
        [#"{"b": [1, -2.50, "x\"y"], "a": {"c": null, "": true}}"#, "[[], {}]", "12"].map {
            Array($0.utf8)
        }
    } decode: { input in
        guard let text = JSONText.canonical(UnsafeRawBufferPointer(input)) else { return }
        // What the server sends is JSON without blanks but spaces; of anything else it is enough that nothing happens.
        guard !input.contains(where: { $0 < 0x20 }) else { return }
        let options = JSONSerialization.ReadingOptions.fragmentsAllowed
        guard (try? JSONSerialization.jsonObject(with: Data(input), options: options)) != nil else {
            return
        }
        let again = text.withUnsafeBytes { JSONText.canonical($0) }
        try require(again == text, "A canonical text must stay as it is.")
    }

    /// Connection strings, in both forms that libpq has.
    static let connectionStrings = FuzzTarget("connection-strings") {
        [
            "postgres://user:p%40ss@[::1]:5433,host/database?sslmode=verify-full&ssl=true",
            "host=/tmp port=5432 user='a\\'b' password=secret connect_timeout=3",
        ].map { Array($0.utf8) }
    } decode: { input in
        let text = String(decoding: input, as: UTF8.self)
        do {
            _ = try ConnectionURL(text)
            _ = try ConnectionString.parameters(text, PostgreSQLConfiguration())
        } catch let error as DBClientError {
            // A secret of any length that may be a word of the message would prove nothing.
            guard let at = text.range(of: "secret-of-a-person") else { throw error }
            try require(
                !"\(error)".contains(text[at]),
                "An error must not show a part of the string."
            )
        }
    }

    /// Comments of tables, which have the forms of their columns.
    static let tableComments = FuzzTarget("table-comments") {
        [
            "Of a person.\ndbclient columns [[\"born\",\"date?\"],[\"n\u{e4}me\",\"text\"]]",
            "dbclient columns []", "[[\"a\"]]",
        ].map { Array($0.utf8) }
    } decode: { input in
        let comment = String(decoding: input, as: UTF8.self)
        let notes = PostgreSQLColumnNotes(comment)
        try require(
            notes.rest == nil || comment.hasPrefix(notes.rest ?? ""),
            "What others say of a table must stay."
        )
    }
}

private typealias PostgreSQLColumnNotes = DBClientPostgreSQL.ColumnNotes
