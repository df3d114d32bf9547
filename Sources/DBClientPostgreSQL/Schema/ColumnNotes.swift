import DBClientSQL
import Foundation

/// What the columns of a table were written as, by the last line of its comment.
///
/// The comment belongs to the table, so it is there for every role, and gone with the table; whatever others say in
/// the lines before is left as it is.
struct ColumnNotes {
    private static let mark = "dbclient columns "
    private var notes: [[UInt8]: WrittenField] = [:]
    /// What others say of the table.
    let rest: String?

    /// Reads the comment of a table.
    init(_ comment: String) {
        var lines = comment.split(separator: "\n", omittingEmptySubsequences: false)
        guard let last = lines.last, last.hasPrefix(Self.mark),
            let columns = try? JSONDecoder().decode(
                [[String]].self,
                from: Data(last.dropFirst(Self.mark.count).utf8)
            )
        else {
            rest = comment
            return
        }
        for column in columns where column.count == 2 {
            notes[Array(column[0].utf8)] = WrittenField(column[1])
        }
        lines.removeLast()
        rest = lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// Returns what a column was written as, if that is noted.
    subscript(column: String) -> WrittenField? { notes[Array(column.utf8)] }

    /// Returns the comment of a table.
    static func text(
        of columns: [(name: String, field: WrittenField)],
        beside rest: String?
    ) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // Strings always have a JSON form.
        let json = (try? encoder.encode(columns.map { [$0.0, $0.1.note] })) ?? Data()
        let line = mark + String(decoding: json, as: UTF8.self)
        return rest.map { "\($0)\n\(line)" } ?? line
    }
}
