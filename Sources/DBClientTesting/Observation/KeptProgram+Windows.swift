import DBClientCore
import Foundation

// Made-up observations of what selected rows get from those that are like them, and of conditions that ask for other rows.
extension KeptProgram {
    /// Begins to observe what windows give.
    mutating func windows(_ request: FetchRequest<Parcel>) async throws {
        switch random.below(8) {
        case 0:
            try await add(
                "ranks",
                request.select { parcel in
                    let depot = Window(of: parcel, by: parcel.depot)
                        .sorted(by: parcel.pieces.descending)
                    return (parcel.id, depot.rowNumber, depot.rank, depot.denseRank)
                }
            )
        case 1:
            try await add(
                "ranks by a sort with nil",
                request.sorted { $0.weight.descending }.select { parcel in
                    let route = Window(of: parcel, by: parcel.route)
                        .sorted(by: parcel.note.descending.nilsFirst)
                    let all = Window(of: parcel).sorted(by: parcel.note)
                    return (parcel.id, route.rank, all.denseRank, all.rowNumber)
                }
            )
        case 2:
            try await add(
                "running totals",
                request.select { parcel in
                    let depot = Window(of: parcel, by: parcel.depot).sorted(by: parcel.id)
                    return (depot.sum(parcel.weight), depot.average(parcel.weight), depot.count)
                }
            )
        case 3:
            try await add(
                "what is before and after",
                request.select { parcel in
                    let route = Window(of: parcel, by: parcel.route).sorted(by: parcel.pieces)
                    return (
                        route.lag(parcel.note), route.lead(parcel.id, by: 2),
                        route.first(parcel.depot), route.max(parcel.note)
                    )
                }
            )
        case 4:
            try await add(
                "shares of computed partitions",
                request.select { parcel in
                    let depot = Window(of: parcel, by: parcel.depot.lowercased())
                    return (parcel.id, depot.share(of: parcel.weight), depot.min(parcel.price))
                }
            )
        case 5:
            let join = request.limit(nil).leftJoin(Station.self) { $0.depot == $1.code }
                .sorted { parcel, station in station.tariff.descending }
            try await add(
                "ranks of joined rows",
                join.select { parcel, station in
                    let hub = Window(of: parcel, by: station.hub)
                        .sorted(by: parcel.weight.descending, station.tariff)
                    return (parcel.id, station.id, hub.rank, hub.rowNumber)
                }
            )
        case 6:
            try await add(
                "the first ones of each partition",
                request.select { parcel in
                    let depot = Window(of: parcel, by: parcel.depot)
                        .sorted(by: parcel.pieces.descending)
                    return (parcel.id, depot.rank, parcel.weight)
                }
                .filter { id, rank, weight in rank <= 2 }
            )
        default:
            try await add(
                "a sort by what is computed",
                request.sorted { [$0.note.ascending, $0.weight.ascending] }.offset(1).limit(5)
                    .select { parcel in
                        let all = Window(of: parcel).sorted(by: parcel.depot.lowercased())
                        return (parcel.id, all.rank, all.denseRank, all.sum(parcel.price))
                    }
            )
        }
    }

    /// Begins to observe what is decided by rows of another model.
    mutating func subqueries(_ client: any DBClient, _ base: FetchRequest<Parcel>) async throws {
        let request = matched(base.limit(nil))
        switch random.below(5) {
        case 0: try await add("fields", request.select(\.id, \.depot))
        case 1: try await add("groups", request.grouped(by: \.depot).select(.count, .sum(\.weight)))
        case 2:
            try await add("a number", client.observeCount(request)) {
                try $0.count(request)
            } text: {
                "\($0)"
            }
        case 3:
            try await add("whether there is one", client.observeExists(request)) {
                try $0.exists(request)
            } text: {
                "\($0)"
            }
        default:
            try await add("the greatest", client.observeMax(\.weight, of: request)) {
                try $0.max(\.weight, of: request)
            } text: {
                "\(String(describing: $0))"
            }
        }
    }

    /// Returns the values of a request to which stations belong, or none, or several.
    private func matched(_ request: FetchRequest<Parcel>) -> FetchRequest<Parcel> {
        switch random.below(6) {
        case 0:
            request.filter { parcel in
                Station.where { $0.tariff > 2 }.exists { station in station.code == parcel.depot }
            }
        case 1:
            request.filter { parcel in
                !Station.all.exists { station in station.route == parcel.route }
            }
        case 2:
            request.filter { parcel in
                Station.all.count { station in station.code == parcel.depot } > 1
            }
        case 3:
            request.filter { parcel in
                parcel.depot.isIn(Station.where { $0.tariff < 4 }.select(\.code))
                    && !Station.all.exists { station in
                        station.route == parcel.route && station.id == parcel.pieces
                    }
            }
        case 4:
            request.filter { parcel in
                parcel.depot.isIn(Station.all.sorted { $0.tariff }.limit(2).select(\.code))
            }
        default:
            request.filter { parcel in
                Parcel.where { $0.pieces > 1 }.exists { other in other.note == parcel.note }
            }
        }
    }
}
