import DBClientCore
import Foundation

/// Makes messages of events: of the rows of a range what has changed since they were last told.
struct EventMessages {
    /// The rows that were last told of each observation, by its number.
    private var told: [Int: [DynamicRow]] = [:]

    /// A message as the page gets it.
    private struct Message: Encodable {
        let type: String
        /// The number of the stream that has opened.
        var stream: Int?
        /// The number of the observation.
        var of: Int?
        var rows: [RowText]?
        var deletions: [Int]?
        var insertions: [Placed]?
        var updates: [Placed]?
        var moves: [[Int]]?
        var entity: String?
        var count: Int?
        var error: PageFailure?

        /// The event of the stream.
        var text: String {
            get throws {
                "data: \(String(decoding: try JSONEncoder().encode(self), as: UTF8.self))\n\n"
            }
        }
    }

    /// A row and where it stands among the present ones.
    private struct Placed: Encodable {
        let at: Int
        let row: RowText
    }

    /// Returns the message that tells the page by which number its observations are begun.
    static func opening(of stream: Int) throws -> String {
        try Message(type: "open", stream: stream).text
    }

    /// Returns the messages for what has come of each observation that goes on; empty where the page has all of it.
    mutating func text(of events: [Int: [PageEvent]]) throws -> String {
        told = told.filter { events[$0.key] != nil }
        var texts: [String] = []
        for (number, events) in events.sorted(by: { $0.key < $1.key }) {
            texts += try events.compactMap { try message(of: $0, number)?.text }
        }
        return texts.joined()
    }

    private mutating func message(of event: PageEvent, _ number: Int) -> Message? {
        switch event {
        case .count(let entity, let count):
            return Message(type: "count", of: number, entity: entity, count: count)
        case .failure(let failure): return Message(type: "error", of: number, error: failure)
        case .rows(let rows, let sorts):
            guard let former = told.updateValue(rows, forKey: number) else {
                return Message(
                    type: "rows",
                    of: number,
                    rows: rows.map { RowText($0, sorts: sorts) }
                )
            }
            let change = RowDifference(from: former, to: rows)
            if change.isEmpty { return nil }
            func placed(_ position: Int) -> Placed {
                Placed(at: position, row: RowText(rows[position], sorts: sorts))
            }
            return Message(
                type: "change",
                of: number,
                deletions: change.deletions,
                insertions: change.insertions.map(placed),
                updates: change.updates.map(placed),
                moves: change.moves.map { [$0.from, $0.to] }
            )
        }
    }
}
