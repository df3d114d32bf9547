import DBClientCore

/// A station: texts and numbers by which parcels, and other stations, are joined to it.
@Stored struct Station: Equatable {
    let id: Int
    var code: String
    var route: Int?
    var tariff: Int
    var hub: Int?

    init(_ id: Int, _ code: String = "a", route: Int? = nil, tariff: Int = 1, hub: Int? = nil) {
        self.id = id
        self.code = code
        self.route = route
        self.tariff = tariff
        self.hub = hub
    }
}
