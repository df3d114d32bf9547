import DBClientCore
import Foundation

/// Values at the ends of what an entry of an index keeps, and of what a range of keys holds.
enum IndexEntryCases {
    static let all: [ConformanceCase] = [
        promise(.limits, "indexed texts of about 500 bytes are compared to their ends") { client in
            // Each is an entry of its own, and all begin with the same 502 bytes.
            let long = String(repeating: "x", count: 502)
            let names = ["", "a", "abc", "abcd", "b"].map { long + $0 }
            try await client.insert(names.enumerated().map { Hero($0, $1, publisherId: 1) })
            for bound in ["", "0", "a", "ab", "abcd", "abce", "zz", "zzzzzzzz"].map({ long + $0 }) {
                func check(
                    _ request: FetchRequest<Hero>,
                    _ matches: (String) -> Bool
                ) async throws {
                    for request in [request, request.filter { $0.publisherId == 1 }] {
                        let expected = names.indices.filter { matches(names[$0]) }
                        try expectEqual(try await client.count(request), expected.count)
                        try expectEqual(try await client.exists(request), !expected.isEmpty)
                        try expectEqual(try await client.fetch(request).map(\.id), expected)
                    }
                }
                try await check(Hero.where { $0.name == bound }) { $0 == bound }
                try await check(Hero.where { $0.name < bound }) { $0 < bound }
                try await check(Hero.where { $0.name <= bound }) { $0 <= bound }
                try await check(Hero.where { $0.name > bound }) { $0 > bound }
                try await check(Hero.where { $0.name >= bound }) { $0 >= bound }
                try await check(Hero.where { $0.name.hasPrefix(bound) }) { $0.hasPrefix(bound) }
                try await check(Hero.where { $0.name.isIn([bound, long]) }) {
                    $0 == bound || $0 == long
                }
            }
        },
        promise(.limits, "the first of several indexed texts is compared to its end") { client in
            let long = String(repeating: "x", count: 502)
            let accounts = ["a", "b", "bc"].enumerated().map {
                Account($0, tenant: long + $1, login: "l")
            }
            try await client.insert(accounts)
            for end in ["", "a", "b", "bc", "c", "zzzzzz"] {
                let tenant = long + end
                func ids(_ matches: (String) -> Bool) -> [Int] {
                    accounts.filter { matches($0.tenant) }.map(\.id)
                }
                let requests: [(FetchRequest<Account>, [Int])] = [
                    (Account.where { $0.tenant == tenant }, ids { $0 == tenant }),
                    (Account.where { $0.tenant <= tenant }, ids { $0 <= tenant }),
                    (Account.where { $0.tenant > tenant }, ids { $0 > tenant }),
                    (
                        Account.where { $0.tenant == tenant && $0.login == "l" },
                        ids { $0 == tenant }
                    ),
                    (Account.where { $0.tenant == tenant && $0.login > "l" }, []),
                ]
                for (request, expected) in requests {
                    try expectEqual(try await client.count(request), expected.count)
                    try expectEqual(try await client.fetch(request).map(\.id), expected)
                    try expectEqual(
                        try await client.fetch(request.sorted { $0.login.descending }).map(\.id),
                        expected
                    )
                }
            }
        },
        promise(.limits, "a list of long values that begin alike finds each row once") { client in
            for length in [490, 503, 600] {
                let long = String(repeating: "p", count: length)
                let tenants = ["a", "b", "c", "d"].map { long + $0 }
                let accounts = tenants.enumerated().map {
                    Account(length * 10 + $0, tenant: $1, login: "l\($0)")
                }
                try await client.insert(accounts)
                let wanted = Array(tenants.prefix(2))
                let requests: [(FetchRequest<Account>, [Account])] = [
                    (Account.where { $0.tenant.isIn(wanted) }, Array(accounts.prefix(2))),
                    (
                        Account.where { $0.tenant.isIn(wanted) && $0.login.isIn(["l1", "l2"]) },
                        [accounts[1]]
                    ),
                    (
                        Account.where { $0.tenant.isIn(wanted) && $0.login >= "l1" },
                        [accounts[1]]
                    ),
                ]
                for (request, expected) in requests {
                    try expectEqual(try await client.fetch(request), expected)
                    try expectEqual(try await client.count(request), expected.count)
                    let changed = try await client.update(request) { $0.set(\.balance, to: length) }
                    try expectEqual(changed, expected.count)
                    _ = try await client.update(request) { $0.set(\.balance, to: 0) }
                }
            }
        },
        promise(.limits, "nothing is over the greatest key") { client in
            try await client.insert([Hero(0), Hero(.max - 1), Hero(.max)])
            try expectEqual(try await client.count(Hero.where { $0.id > Int.max }), 0)
            try expectEqual(try await client.exists(Hero.where { $0.id > Int.max }), false)
            try expectEqual(try await client.fetch(Hero.where { $0.id > Int.max }), [])
            try expectEqual(try await client.fetch(Hero.all.after(key: .max)), [])
            try expectEqual(
                try await client.fetch(Hero.where { $0.id > Int.max && $0.id <= Int.max }),
                []
            )
            try expectEqual(
                try await client.fetch(Hero.where { $0.id > Int.max }.sorted { $0.id.descending }),
                []
            )
            try expectEqual(try await client.count(Hero.where { $0.id >= Int.max }), 1)
            try expectEqual(try await client.count(Hero.where { $0.id > .max - 1 }), 1)
            try expectEqual(try await client.delete(Hero.where { $0.id > Int.max }), 0)
            try expectEqual(try await client.count(Hero.where { $0.id <= Int.max }), 3)
        },
        promise(.limits, "nothing is over the greatest key of several fields") { client in
            let cells = [Cell(0, 0), Cell(.max, 0), Cell(.max, .max)]
            try await client.insert(cells)
            let requests: [(FetchRequest<Cell>, [Cell])] = [
                (Cell.where { $0.line > Int.max }, []),
                (Cell.where { $0.line >= Int.max }, Array(cells.suffix(2))),
                (Cell.where { $0.line == Int.max && $0.column > Int.max }, []),
                (Cell.where { $0.line == Int.max && $0.column >= Int.max }, [cells[2]]),
                (Cell.where { $0.line == Int.max && $0.column > 0 }, [cells[2]]),
                (Cell.where { $0.line.isIn([0, .max]) && $0.column > Int.max }, []),
            ]
            for (request, expected) in requests {
                try expectEqual(try await client.count(request), expected.count)
                try expectEqual(try await client.fetch(request), expected)
            }
        },
        promise(.limits, "zeros in the data of a key count twice") { client in
            func key(_ zeros: Int, _ others: Int) -> Page.PrimaryKey {
                .init(Data(repeating: 0, count: zeros) + Data(repeating: 1, count: others), 1)
            }
            for (zeros, others) in [(0, 400), (200, 0), (199, 2), (1, 398)] {
                let page = Page(key(zeros, others))
                try await client.insert(page)
                try expectEqual(try await client.find(Page.self, key: page.primaryKey), page)
            }
            for (zeros, others) in [(0, 401), (201, 0), (200, 1), (256, 0), (400, 0)] {
                let long = key(zeros, others)
                try await expectError(.invalidValue) { try await client.insert(Page(long)) }
                try await expectError(.invalidValue) { try await client.upsert(Page(long)) }
                try await expectError(.invalidValue) {
                    _ = try await client.find(Page.self, key: long)
                }
            }
            try expectEqual(try await client.count(Page.all), 4)
        },
    ]
}
