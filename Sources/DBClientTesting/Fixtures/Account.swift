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

/// A model that is kept as an `Account` and merges with what is stored: the fields that it does not know stay.
struct Subscriber: StoredConvertible, Equatable {
    var id: Int
    var address: String
    var balance: Int

    init(_ id: Int, _ address: String, balance: Int = 0) {
        self.id = id
        self.address = address
        self.balance = balance
    }

    var primaryKey: Int { id }

    init(storage: Account) {
        self.init(storage.id, storage.email ?? "", balance: storage.balance)
    }

    func storage(existing: Account?) -> Account {
        var account = existing ?? Account(id, tenant: "new")
        account.email = address
        account.balance = balance
        return account
    }
}
