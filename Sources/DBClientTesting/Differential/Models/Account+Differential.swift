import DBClientCore

extension Account: DifferentialModel {
    static let probes: [FieldProbe<Account>] = [
        .key("id", \.id) { $0.below(12) - 4 },
        .text(optional: "email", \.email), .text("tenant", \.tenant),
        .text(optional: "login", \.login),
        .compared("balance", \.balance, SampleValues.integer),
    ]

    init(key: Int) {
        self.init(key)
    }

    static func makeKey(_ random: RandomSource) -> Int { random.below(12) - 4 }

    static func orderKeys(_ left: Int, _ right: Int) -> Int { Int.order(left, right) }

    var normalized: Account? {
        tenant.utf8.contains(0) ? nil : self
    }

    static func collide(_ left: Account, _ right: Account) -> Bool {
        if left.email != nil, Optional.order(left.email, right.email) == 0 { return true }
        return left.login != nil && Optional.order(left.login, right.login) == 0
            && String.order(left.tenant, right.tenant) == 0
    }

    static let uniqueProperties: [UniqueProperties<Account>] = [
        UniqueProperties(
            text: "email",
            upsert: { try $0.upsert($1, by: \.email) },
            call: { try await $0.upsert($1, by: \.email) },
            areEqual: { $0.email != nil && Optional.order($0.email, $1.email) == 0 },
            keyed: keyed
        ),
        UniqueProperties(
            text: "login and tenant",
            upsert: { try $0.upsert($1, by: \.login, \.tenant) },
            call: { try await $0.upsert($1, by: \.login, \.tenant) },
            areEqual: {
                $0.login != nil && Optional.order($0.login, $1.login) == 0
                    && String.order($0.tenant, $1.tenant) == 0
            },
            keyed: keyed
        ),
    ]

    @Sendable
    private static func keyed(_ account: Account, _ id: Int) -> Account {
        Account(
            id,
            email: account.email,
            tenant: account.tenant,
            login: account.login,
            balance: account.balance
        )
    }
}
