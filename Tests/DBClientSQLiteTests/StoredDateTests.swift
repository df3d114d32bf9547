import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

/// Integers that another program wrote where a model has dates.
@Suite struct StoredDateTests {
    @Stored fileprivate struct Event: Equatable {
        var id: Int
        var at: Date
        var end: Date?
        var others: [Date]
    }

    /// The first that can be kept, one before it, the last, and one after it.
    @Test(
        arguments: [
            ("-210866803200000000", true), ("-210866803200000001", false),
            ("9223372036854775806", true), ("9223372036854775807", false),
            ("-9223372036854775808", false),
        ]
    )
    func aDateOutOfRangeIsAnErrorThatNamesTheField(stored: String, fits: Bool) throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        let blocking = client.blocking
        let day = Date(timeIntervalSince1970: 0)
        for (column, value) in [
            ("at", stored), ("\"end\"", stored), ("others", "'[\(stored)]'"),
        ] {
            try blocking.upsert(Event(id: 1, at: day, end: day, others: [day]))
            let statement = "UPDATE Event SET \(column) = \(value)"
            try blocking.execute("\(raw: statement)")
            let field = column.filter { $0 != "\"" }
            for error in [
                failure { _ = try blocking.find(Event.self, key: 1) },
                failure { _ = try blocking.fetch(Event.all) },
                failure { _ = try blocking.read { try $0.findAll(Event.self) } },
            ] {
                #expect(error?.code == (fits ? nil : .decoding), "\(statement)")
                #expect(error?.field == (fits ? nil : field), "\(statement)")
                #expect(error?.entity == (fits ? nil : "Event"), "\(statement)")
            }
        }
        let last = failure { _ = try blocking.max(\Event.at, of: Event.all) }
        #expect(last == nil)
        try blocking.execute("\(raw: "UPDATE Event SET at = \(stored)")")
        let greatest = failure { _ = try blocking.max(\Event.at, of: Event.all) }
        #expect(greatest?.code == (fits ? nil : .decoding))
    }
}
