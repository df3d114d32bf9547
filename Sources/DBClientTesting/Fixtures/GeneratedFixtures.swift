import DBClientCore
import Foundation

/// Keyed by an integer that the store makes.
@Stored struct Ticket: Equatable {
    @PrimaryKey(.generated) var id: Int
    var title: String

    init(id: Int = 0, title: String) {
        self.id = id
        self.title = title
    }
}

/// Keyed by a UUID that the store makes.
@Stored struct Session: Equatable {
    @PrimaryKey(.generated) var id: UUID
    var title: String

    init(id: UUID = EveryType.zeroUUID, title: String) {
        self.id = id
        self.title = title
    }
}

/// Keyed by a text that the store makes.
@Stored struct Document: Equatable {
    @PrimaryKey(.generated) var id: String
    var title: String

    init(id: String = "", title: String) {
        self.id = id
        self.title = title
    }
}

/// Keyed by a small integer that the store makes, with a title that nothing else has.
@Stored struct Stamp: Equatable {
    @PrimaryKey(.generated) var id: Int8
    @Unique var title: String

    init(id: Int8 = 0, title: String) {
        self.id = id
        self.title = title
    }
}
