import Foundation

extension Workload {
    /// Reading what another program keeps in its own forms.
    static let adopted = [
        Workload(
            "adopted-fetch",
            "fetch rows with a date as text, one as seconds and cents, per row",
            .microseconds,
            targets: [Target(.sqliteClient, .cost(1.3, of: .rawSQLite))],
            contestants: [.rawSQLite, .sqliteClient]
        ) { session, _ in
            let store = try session.visits()
            var visits: [Visit] = []
            let duration = try session.measure { visits = try store.fetchAll() }
            return Sample(
                duration,
                .microseconds,
                per: max(visits.count, 1),
                answer: visits.reduce(0) { sum, visit in
                    sum &+ visit.id &+ Int(visit.made.timeIntervalSince1970 * 4)
                        &+ Int(visit.paid.timeIntervalSince1970)
                        &+ (Int("\(visit.price * 100)") ?? 0)
                }
            )
        },
        Workload(
            "adopted-dates",
            "fetch rows with a date as text on a server, per row",
            .microseconds,
            targets: [Target(.postgreSQLClient, .cost(1.3, of: .rawPostgreSQL))],
            contestants: [.rawPostgreSQL, .postgreSQLClient]
        ) { session, _ in
            let store = try session.serverVisits()
            var visits: [DatedVisit] = []
            let duration = try session.measure { visits = try store.fetchDated() }
            return Sample(
                duration,
                .microseconds,
                per: max(visits.count, 1),
                answer: visits.reduce(0) { sum, visit in
                    sum &+ visit.id &+ Int(visit.made.timeIntervalSince1970 * 4)
                }
            )
        },
        Workload(
            "adopted-numbers",
            "fetch rows with a numeric(12,2) on a server, per row",
            .microseconds,
            targets: [Target(.postgreSQLClient, .cost(1.3, of: .rawPostgreSQL))],
            contestants: [.rawPostgreSQL, .postgreSQLClient]
        ) { session, _ in
            let store = try session.serverVisits()
            var visits: [PricedVisit] = []
            let duration = try session.measure { visits = try store.fetchPriced() }
            return Sample(
                duration,
                .microseconds,
                per: max(visits.count, 1),
                answer: visits.reduce(0) { sum, visit in
                    sum &+ visit.id &+ (Int("\(visit.price * 100)") ?? 0)
                }
            )
        },
    ]
}
