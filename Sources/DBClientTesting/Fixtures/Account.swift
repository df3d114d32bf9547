import DBClientCore

/// A model with a unique field and a unique pair of fields.
struct Account: Stored, Equatable {
    let id: Int
    var email: String?
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

    static let schema = Schema<Account>(
        name: "Account",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.email, "email", index: .unique),
            .field(\.tenant, "tenant"),
            .field(\.login, "login"),
            .field(\.balance, "balance"),
        ],
        indexes: [.unique(\.tenant, \.login)]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        email = try row.read()
        tenant = try row.read()
        login = try row.read()
        balance = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(email)
        try row.write(tenant)
        try row.write(login)
        try row.write(balance)
    }
}

/// The entity of `Account` as it was before it had indexes.
struct FormerAccount: Stored, Equatable {
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

    static let schema = Schema<FormerAccount>(
        name: "Account",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.email, "email"),
            .field(\.tenant, "tenant"),
            .field(\.login, "login"),
            .field(\.balance, "balance"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        email = try row.read()
        tenant = try row.read()
        login = try row.read()
        balance = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(email)
        try row.write(tenant)
        try row.write(login)
        try row.write(balance)
    }
}
