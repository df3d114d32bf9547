import DBClientCore

/// A label whose records, tracks and guests are found by what leads to it, and not stored with it.
@Stored struct RecordAlbum: Hashable {
    let id: Int
    @Indexed var title: String
    @Inverse(\RecordTrack.album) var tracks: [RecordTrack]
    @Inverse(\RecordGuest.albums) var guests: [RecordGuest]?
    @Inverse(\RecordReview.subject) var reviews: Set<RecordReview> = []
    @Inverse(\RecordSleeve.album) var sleeves: [RecordSleeve]

    init(_ id: Int, _ title: String) {
        self.id = id
        self.title = title
        tracks = []
        sleeves = []
    }
}

/// A track, which names its album.
@Stored struct RecordTrack: Hashable {
    let id: Int
    var album: Reference<RecordAlbum>?
    var name: String
    var seconds: Int
    var rating: Double?

    init(_ id: Int, _ album: Int?, _ name: String, _ seconds: Int, rating: Double? = nil) {
        self.id = id
        self.album = album.map { Reference($0) }
        self.name = name
        self.seconds = seconds
        self.rating = rating
    }
}

/// Played on albums, one of which may be there twice.
@Stored struct RecordGuest: Hashable {
    let id: Int
    var name: String
    var albums: References<RecordAlbum>

    init(_ id: Int, _ name: String, albums: [Int]) {
        self.id = id
        self.name = name
        self.albums = References(albums)
    }
}

/// About an album, whose key it has in a field without an index.
@Stored struct RecordReview: Hashable {
    let id: Int
    var subject: Int
    var stars: Int

    init(_ id: Int, _ subject: Int, _ stars: Int) {
        self.id = id
        self.subject = subject
        self.stars = stars
    }
}

/// Holds its album as a value.
@Stored struct RecordSleeve: Hashable {
    let id: Int
    var album: RecordAlbum
    var weight: Int

    init(_ id: Int, _ album: RecordAlbum, _ weight: Int) {
        self.id = id
        self.album = album
        self.weight = weight
    }
}
