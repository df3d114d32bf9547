import DBClientCore
import DBClientSQL
import Foundation

// Asks twelve questions of the models of Chinook, and the same ones by SQL. It is compiled with the generated models.

@main struct ChinookProgram {
    static func main() async throws {
        let store = try await Store.open(CommandLine.arguments[1])
        guard CommandLine.arguments.count > 2 else { return try await deleteWhatIsHeld(in: store) }
        let copy = try await Store.open(CommandLine.arguments[2])
        let schema = try await store.schema()
        // In the order of their foreign keys.
        try await roundTrip(Artist.self, in: store, to: copy)
        try await roundTrip(Album.self, in: store, to: copy)
        try await roundTrip(Genre.self, in: store, to: copy)
        try await roundTrip(MediaType.self, in: store, to: copy)
        try await roundTrip(Track.self, in: store, to: copy)
        try await roundTrip(Playlist.self, in: store, to: copy)
        try await roundTrip(PlaylistTrack.self, in: store, to: copy)
        try await roundTrip(Employee.self, in: store, to: copy)
        try await roundTrip(Customer.self, in: store, to: copy)
        try await roundTrip(Invoice.self, in: store, to: copy)
        try await roundTrip(InvoiceLine.self, in: store, to: copy)
        if try await store.schema() != schema { print("wrong: the tables are altered") }
        let questions = Questions(store: store)
        for (number, question) in questions.all.enumerated() {
            do {
                let (typed, sql) = (
                    try await question.typed(), try await questions.rows(question.sql)
                )
                print("question \(number + 1) \(typed == sql && !sql.isEmpty ? "equal" : "wrong")")
                if typed != sql { print("wrong \(typed.prefix(5)), by SQL \(sql.prefix(5))") }
            } catch let error as DBClientError where error.code == .schemaMismatch {
                print("question \(number + 1) misfit")
            }
        }
    }
}

extension ChinookProgram {
    /// Deletes a playlist that has tracks, which the store alone tells this process.
    private static func deleteWhatIsHeld(in store: Store) async throws {
        do {
            try await store.client.delete(Playlist.self, keys: [1])
            print("deleted")
        } catch let error as DBClientError where error.code == .deletionDenied {
            print("denied \(error.entity ?? "")")
        }
    }
}

/// A question as the typed API asks it, and by SQL.
struct Question {
    /// The answer in lines, sorted.
    let typed: @Sendable () async throws -> [String]
    /// The statement, with names in backticks as the SQLite form of Chinook has them.
    let sql: String
}

// Money and dates, as each engine's form of Chinook has them.
func cents(_ amount: Double) -> Int { Int((amount * 100).rounded()) }
func cents(_ amount: Decimal) -> Int { NSDecimalNumber(decimal: amount * 100).intValue }
func year(_ date: String) -> String { String(date.prefix(4)) }
func year(_ date: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
    return String(calendar.component(.year, from: date))
}

struct Questions: Sendable {
    let store: Store

    private var client: SQLDBClient { store.client }

    /// Returns the rows of a statement, the values of each joined.
    func rows(_ sql: String) async throws -> [String] {
        var text = ""
        var isName = false
        for character in sql {
            if character == "`" {
                isName.toggle()
                text += "\""
            } else if isName, !store.isSQLite, character.isUppercase {
                text += (text.last == "\"" ? "" : "_") + character.lowercased()
            } else {
                text.append(character)
            }
        }
        let date =
            store.isSQLite ? "substr(\"InvoiceDate\", 1, 4)" : "to_char(invoice_date, 'YYYY')"
        text = text.replacingOccurrences(of: "$year", with: date)
        return try await client.rows("\(raw: text)").map { row in
            row.values.map { value in
                switch value {
                case .null: "none"
                case .integer(let number): String(number)
                case .real(let number): String(format: "%.3f", number)
                case .text(let text): text
                case .data: "data"
                }
            }
            .joined(separator: "|")
        }
        .sorted()
    }

    var all: [Question] {
        [
            // How many tracks has each genre?
            Question(
                typed: {
                    try await client.fetch(Track.all.grouped { $0.genre.name }.select(.count))
                        .map { "\($0 ?? "none")|\($1)" }.sorted()
                },
                sql: """
                    SELECT g.`Name`, count(*) FROM `Track` t
                    LEFT JOIN `Genre` g ON g.`GenreId` = t.`GenreId` GROUP BY g.`Name`
                    """
            ),
            // What is the revenue of each country and year?
            Question(
                typed: {
                    var sums: [String: Int] = [:]
                    for invoice in try await client.fetch(Invoice.all) {
                        let key = "\(invoice.billingCountry ?? "none")|\(year(invoice.invoiceDate))"
                        sums[key, default: 0] += cents(invoice.total)
                    }
                    return sums.map { "\($0)|\($1)" }.sorted()
                },
                sql: """
                    SELECT `BillingCountry`, $year, CAST(round(sum(`Total`) * 100) AS INTEGER)
                    FROM `Invoice` GROUP BY `BillingCountry`, $year
                    """
            ),
            // Who are the five best customers?
            Question(
                typed: {
                    let sums = try await client.fetch(
                        Invoice.all.grouped { ($0.customer.firstName, $0.customer.lastName) }
                            .select(.sum(\.total))
                    )
                    let best = sums.map { (name: "\($0.0.0)|\($0.0.1)", cents: cents($0.1)) }
                        .sorted { ($1.cents, $0.name) < ($0.cents, $1.name) }.prefix(5)
                    return best.map { "\($0.name)|\($0.cents)" }.sorted()
                },
                sql: """
                    SELECT c.`FirstName`, c.`LastName`, CAST(round(sum(i.`Total`) * 100) AS INTEGER)
                    FROM `Invoice` i JOIN `Customer` c ON c.`CustomerId` = i.`CustomerId`
                    GROUP BY c.`CustomerId`, c.`FirstName`, c.`LastName`
                    ORDER BY 3 DESC, 1, 2 LIMIT 5
                    """
            ),
            // Which playlist is the longest?
            Question(
                typed: {
                    var lengths: [Int: Int] = [:]
                    let tracks = try await client.fetch(
                        PlaylistTrack.all.select(\.playlist, \.track)
                    )
                    let milliseconds = Dictionary(
                        uniqueKeysWithValues: try await client.fetch(
                            Track.all.select(\.id, \.milliseconds)
                        )
                        .map { ($0.0, $0.1) }
                    )
                    for (playlist, track) in tracks {
                        lengths[playlist.key, default: 0] += milliseconds[track.key] ?? 0
                    }
                    let longest = lengths.max { ($0.value, $1.key) < ($1.value, $0.key) }
                    guard let longest else { return [] }
                    let playlist = try await client.find(Playlist.self, key: longest.key)
                    return ["\(playlist?.name ?? "none")|\(longest.value)"]
                },
                sql: """
                    SELECT p.`Name`, CAST(sum(t.`Milliseconds`) AS BIGINT) FROM `PlaylistTrack` l
                    JOIN `Playlist` p ON p.`PlaylistId` = l.`PlaylistId`
                    JOIN `Track` t ON t.`TrackId` = l.`TrackId`
                    GROUP BY p.`PlaylistId`, p.`Name` ORDER BY 2 DESC, p.`PlaylistId` LIMIT 1
                    """
            ),
            // Who reports to whom, to any depth?
            Question(
                typed: {
                    let employees = try await client.fetch(Employee.all)
                    let byKey = Dictionary(uniqueKeysWithValues: employees.map { ($0.id, $0) })
                    var lines: [String] = []
                    for employee in employees {
                        var manager = employee.reportsTo
                        var depth = 1
                        while let next = manager.flatMap({ byKey[$0.key] }) {
                            lines.append("\(employee.lastName)|\(next.lastName)|\(depth)")
                            manager = next.reportsTo
                            depth += 1
                        }
                    }
                    return lines.sorted()
                },
                sql: """
                    WITH RECURSIVE chain (own, boss, depth) AS (
                        SELECT `EmployeeId`, `ReportsTo`, 1 FROM `Employee`
                        UNION ALL
                        SELECT c.own, e.`ReportsTo`, c.depth + 1 FROM chain c
                        JOIN `Employee` e ON e.`EmployeeId` = c.boss
                    )
                    SELECT a.`LastName`, b.`LastName`, c.depth FROM chain c
                    JOIN `Employee` a ON a.`EmployeeId` = c.own
                    JOIN `Employee` b ON b.`EmployeeId` = c.boss
                    """
            ),
            // Which albums have more than twenty tracks?
            Question(
                typed: {
                    try await client.fetch(
                        Track.all.grouped { $0.album.title }.having { $0.count > 20 }.select(.count)
                    )
                    .map { "\($0 ?? "none")|\($1)" }.sorted()
                },
                sql: """
                    SELECT a.`Title`, count(*) FROM `Track` t
                    JOIN `Album` a ON a.`AlbumId` = t.`AlbumId`
                    GROUP BY a.`Title` HAVING count(*) > 20
                    """
            ),
            // Which artists have no album?
            Question(
                typed: {
                    let known = Set(try await client.fetch(Album.all.select(\.artist)).map(\.key))
                    return try await client.fetch(Artist.all).filter { !known.contains($0.id) }
                        .map { $0.name ?? "none" }.sorted()
                },
                sql: """
                    SELECT `Name` FROM `Artist` WHERE `ArtistId` NOT IN (SELECT `ArtistId` FROM `Album`)
                    """
            ),
            // How many tracks were never sold?
            Question(
                typed: {
                    let sold = Set(
                        try await client.fetch(InvoiceLine.all.select(\.track)).map(\.key)
                    )
                    let tracks = try await client.fetch(Track.all.select(\.id))
                    return [String(tracks.count { !sold.contains($0) })]
                },
                sql: """
                    SELECT count(*) FROM `Track` WHERE `TrackId` NOT IN (SELECT `TrackId` FROM `InvoiceLine`)
                    """
            ),
            // What has each sales representative sold?
            Question(
                typed: {
                    try await client.fetch(
                        Invoice.all.grouped { $0.customer.supportRep.lastName }.select(
                            .sum(\.total)
                        )
                    )
                    .map { "\($0 ?? "none")|\(cents($1))" }.sorted()
                },
                sql: """
                    SELECT e.`LastName`, CAST(round(sum(i.`Total`) * 100) AS INTEGER) FROM `Invoice` i
                    JOIN `Customer` c ON c.`CustomerId` = i.`CustomerId`
                    JOIN `Employee` e ON e.`EmployeeId` = c.`SupportRepId` GROUP BY e.`LastName`
                    """
            ),
            // How many tracks has each artist with more than a hundred?
            Question(
                typed: {
                    try await client.fetch(
                        Track.all.grouped { $0.album.artist.name }.having { $0.count > 100 }
                            .select(.count)
                    )
                    .map { "\($0 ?? "none")|\($1)" }.sorted()
                },
                sql: """
                    SELECT r.`Name`, count(*) FROM `Track` t
                    JOIN `Album` a ON a.`AlbumId` = t.`AlbumId`
                    JOIN `Artist` r ON r.`ArtistId` = a.`ArtistId`
                    GROUP BY r.`Name` HAVING count(*) > 100
                    """
            ),
            // Which customers of Brazil are there?
            Question(
                typed: {
                    let request = Customer.where { $0.country == "Brazil" }.sorted { $0.lastName }
                    return try await client.fetch(request).map { "\($0.firstName)|\($0.email)" }
                        .sorted()
                },
                sql: "SELECT `FirstName`, `Email` FROM `Customer` WHERE `Country` = 'Brazil'"
            ),
            // How long is a track of each media type, and how long at most?
            Question(
                typed: {
                    let lengths = try await client.fetch(
                        Track.all.grouped { $0.mediaType.name }
                            .select(.average(\.milliseconds), .max(\.milliseconds))
                    )
                    return lengths.map { name, values in
                        let mean = String(format: "%.3f", values.0 ?? 0)
                        return "\(name ?? "none")|\(mean)|\(values.1 ?? 0)"
                    }
                    .sorted()
                },
                sql: """
                    SELECT m.`Name`, CAST(avg(t.`Milliseconds`) AS DOUBLE PRECISION), max(t.`Milliseconds`)
                    FROM `Track` t JOIN `MediaType` m ON m.`MediaTypeId` = t.`MediaTypeId`
                    GROUP BY m.`Name`
                    """
            ),
        ]
    }
}
