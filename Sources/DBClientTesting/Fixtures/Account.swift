import DBClientCore

/// A model with a unique field and a unique pair of fields.
@Stored struct Account: Equatable {
    let id: Int
    @Unique var email: String?
    var tenant: String
    var login: String?
    var balance: Int

    init(
        _ id: Int,
        email: String? = nil,
        tenant: String = "",
        login: String? = nil,
        balance: Int = 0
    ) {
        self.id = id
        self.email = email
        self.tenant = tenant
        self.login = login
        self.balance = balance
    }

    static var indexes: [StoredIndex<Self>] { [.unique(\.tenant, \.login)] }
}

/// The entity of `Account` as it was before it had indexes.
@Stored("Account") struct FormerAccount: Equatable {
    let id: Int
    var email: String?
    var tenant: String
    var login: String?
    var balance: Int

    init(_ id: Int, email: String? = nil) {
        self.id = id
        self.email = email
        tenant = "t\(id)"
        balance = 0
    }
}
