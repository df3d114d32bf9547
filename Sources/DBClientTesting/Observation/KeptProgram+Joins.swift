import DBClientCore
import Foundation

// Made-up observations of selected fields and of joined rows.
extension KeptProgram {
    /// Begins to observe fields of the values of a request.
    mutating func fields(_ request: FetchRequest<Parcel>) async throws {
        switch random.below(6) {
        case 0: try await add("two fields", request.select(\.depot, \.pieces))
        case 1:
            let sorted = request.sorted { [$0.note.descending.nilsFirst, $0.weight.ascending] }
            try await add("sorted fields", sorted.select(\.note, \.weight, \.id))
        case 2:
            let first = request.sorted { $0.weight.descending }.offset(1).limit(3)
            try await add("the first fields", first.select(\.weight))
        case 3:
            let mapped = request.select(\.depot, \.price).map { "\($0.0) \($0.1 ?? 0)" }
            try await add("mapped fields", mapped)
        case 4:
            let computed = request.select { ($0.depot.lowercased(), $0.id) }
            try await add("computed fields", computed)
        default:
            let sorted = request.sorted { $0.depot.lowercased() }
            try await add("fields by a computed order", sorted.select(\.depot, \.id))
        }
    }

    /// Begins to observe the rows of a join.
    mutating func joins(_ request: FetchRequest<Parcel>) async throws {
        switch random.below(9) {
        case 0:
            let join = request.join(Station.self) { $0.depot == $1.code }
            try await add(
                "joined fields",
                join.select { parcel, station in (parcel.id, station.id, station.tariff) }
            )
        case 1:
            let join = request.leftJoin(Station.where { $0.tariff > 2 }) { $0.route == $1.route }
                .sorted { parcel, station in [station.tariff.descending, parcel.weight.ascending] }
            try await add(
                "left joined fields",
                join.select { parcel, station in (parcel.id, station.tariff, station.id) }
            )
        case 2:
            let join = request.leftJoin(Station.self) { $0.route == $1.id && $0.pieces > $1.tariff }
                .filter { parcel, station in station.hub == nil }
                .sorted { parcel, station in parcel.note }.limit(4)
            try await add("the first of a left join", join.models)
        case 3:
            let join = Station.join(Station.self) { $0.hub == $1.id }
                .filter { own, hub in own.tariff >= hub.tariff }
            try await add("joined to itself", join.models)
        case 4:
            let join = Station.leftJoin(Station.self) { $0.hub == $1.id }
                .sorted { own, hub in [hub.tariff.descending, own.code.ascending] }
            try await add(
                "left joined to itself",
                join.select { own, hub in (own.code, hub.code, hub.tariff) }
            )
        case 5:
            let join = request.join(Station.self) { $0.depot == $1.code }
                .leftJoin(Station.self) { parcel, station, hub in station.hub == hub.id }
                .filter { parcel, station, hub in parcel.pieces != 3 }
            try await add(
                "three joined",
                join.select { parcel, station, hub in (parcel.id, station.id, hub.id) }
            )
        case 6:
            let join = request.leftJoin(Station.self) { $0.depot == $1.code }
                .join(Station.self) { parcel, station, hub in
                    station.hub == hub.hub && hub.tariff < 4
                }
            try await add(
                "joined to what is missing",
                join.select { parcel, station, hub in (parcel.id, station.id, hub.id) }
            )
        case 7:
            let join = request.join(Station.self) { $0.pieces < $1.tariff }
            try await add(
                "joined by an order",
                join.select { parcel, station in (parcel.id, station.id) }
            )
        default:
            let join = request.join(Station.self) { $0.depot == $1.code && $0.pieces != $1.tariff }
            try await add("rows of a join", join.select { $1.code }.map { "station \($0)" })
        }
    }

    /// Begins to observe groups of the rows of a join.
    mutating func joinedGroups(_ request: FetchRequest<Parcel>) async throws {
        switch random.below(5) {
        case 4:
            let join = request.leftJoin(Station.self) { $0.route == $1.id }
            let groups = join.grouped { parcel, station in station.tariff + 1 }
            try await add(
                "computed groups of a join",
                groups.select(
                    .sum { parcel, station in station.tariff * 2 },
                    .min { parcel, station in parcel.depot.lowercased() }
                )
            )
        case 0:
            let join = request.join(Station.self) { $0.depot == $1.code }
            let groups = join.grouped { parcel, station in station.tariff }
            try await add(
                "groups of a join",
                groups.select(
                    .count,
                    .sum { parcel, _ in parcel.weight },
                    .max { parcel, _ in parcel.note }
                )
            )
        case 1:
            let join = request.leftJoin(Station.self) { $0.route == $1.id }
            let groups = join.grouped { parcel, station in station.code }
                .sorted { $0.sum { parcel, _ in parcel.pieces }.descending }.limit(3)
            try await add(
                "the best groups of a left join",
                groups.select(.sum { parcel, _ in parcel.pieces })
            )
        case 2:
            let join = Station.leftJoin(Station.self) { $0.hub == $1.id }
            let groups = join.grouped { own, hub in hub.id }.having { $0.count > 1 }
            try await add(
                "groups of a join to itself",
                groups.select(.count, .average { own, _ in own.tariff })
            )
        default:
            let join = request.join(Station.self) { $0.depot == $1.code }
            try await add(
                "different joined values",
                join.distinct { parcel, station in (station.route, parcel.depot) }
            )
        }
    }
}
