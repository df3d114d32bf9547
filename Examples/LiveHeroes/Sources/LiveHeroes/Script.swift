import DBClientCore

/// What is written: the heroes to begin with, and each commit of the second process.
enum Script {
    static let beginning = [
        Hero(identifier: 1, name: "Iron Man", power: 85),
        Hero(identifier: 2, name: "Spider-Man", power: 70),
        Hero(identifier: 3, name: "Black Widow", power: 55),
        Hero(identifier: 4, name: "Hawkeye", power: 50),
    ]

    /// The row that is first in the end.
    static let champion = 9

    static let steps: [@Sendable (WriteTransaction) throws -> Void] = [
        { try $0.insert(Hero(identifier: 5, name: "Thor", power: 95)) },
        { try $0.update(Hero.self, key: 4) { $0.set(\.power, to: 72) } },
        { transaction in
            try transaction.insert(Hero(identifier: 6, name: "Hulk", power: 97))
            try transaction.insert(Hero(identifier: 7, name: "Vision", power: 90))
        },
        { try $0.update(Hero.self, key: 3) { $0.set(\.name, to: "Yelena Belova") } },
        { try $0.delete(Hero.self, key: 1) },
        { try $0.update(Hero.self, key: 2) { $0.set(\.power, to: 96) } },
        { try $0.insert(Hero(identifier: champion, name: "Captain Marvel", power: 99)) },
    ]
}
