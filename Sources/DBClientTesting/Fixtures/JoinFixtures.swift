import DBClientCore

/// Joins an artist and a studio: its key is two references.
@Stored struct Membership: Hashable {
    @PrimaryKey @Relationship(onDelete: .cascade) let artist: Reference<Artist>
    @PrimaryKey let studio: Reference<Studio>
    var role: String

    init(_ artist: Int, _ studio: Int, _ role: String = "") {
        self.artist = Reference(artist)
        self.studio = Reference(studio)
        self.role = role
    }
}

/// There once at most for each studio, whose key is its own.
@Stored struct Imprint: Equatable {
    @PrimaryKey @Relationship(onDelete: .cascade) let studio: Reference<Studio>
    var motto: String

    init(_ studio: Int, _ motto: String = "") {
        self.studio = Reference(studio)
        self.motto = motto
    }
}

/// Joins an issue, whose key has several fields, and a membership, whose key is of references.
@Stored struct Credit: Equatable {
    @PrimaryKey @Relationship(onDelete: .cascade) let issue: Reference<Issue>
    @PrimaryKey @Relationship(onDelete: .cascade) let member: Reference<Membership>
    @PrimaryKey let number: Int
    var imprint: Imprint?
    var contract: Contract?

    init(
        _ number: Int,
        _ issue: Issue.PrimaryKey,
        _ member: Membership.PrimaryKey,
        imprint: Imprint? = nil,
        contract: Contract? = nil
    ) {
        self.number = number
        self.issue = Reference(issue)
        self.member = Reference(member)
        self.imprint = imprint
        self.contract = contract
    }
}
