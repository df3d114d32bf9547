import DBClientCore
import Foundation

/// Large values, long keys, long indexed text.
enum LimitCases {
    static let all: [ConformanceCase] = [
        promise(.limits, "ten megabytes of text and of data come back") { client in
            var value = EveryType(1)
            value.optionalText = String(repeating: "0123456789é", count: 900_000)
            value.data = Data(repeating: 0xA5, count: 10_000_000)
            try await client.insert([value, EveryType(2)])
            let found = try await client.find(EveryType.self, key: 1)
            try expect(found?.data == value.data, "the data differ")
            try expectEqual(found?.optionalText?.utf8.count, value.optionalText?.utf8.count)
            try expect(found?.optionalText == value.optionalText, "the text differs")
            let text = value.optionalText
            try expectEqual(
                try await client.count(EveryType.where { $0.optionalText == text }),
                1
            )
            try await client.update(EveryType.self, key: 1) { $0.set(\.optionalText, to: "short") }
            try expectEqual(try await client.find(EveryType.self, key: 1)?.optionalText, "short")
        },
        promise(.limits, "a value over 256 megabytes is refused") { client in
            var value = EveryType(1)
            value.optionalData = Data(count: (256 << 20) + 1)
            let error = try await expectError(.invalidValue) { try await client.insert(value) }
            try expectEqual(error.field, "optionalData")
            try expectEqual(try await client.count(EveryType.all), 0)
        },
        promise(.limits, "a text key of 400 bytes serves every call") { client in
            let keys = ["a", "b"].map { String(repeating: "é", count: 199) + $0 + $0 }
            try await client.insert(keys.map { TextKeyed($0, "1") })
            for key in keys {
                try expectEqual(try await client.find(TextKeyed.self, key: key)?.note, "1")
                try expectEqual(try await client.upsert(TextKeyed(key, "2")).isUpdated, true)
                try await client.update(TextKeyed.self, key: key) { $0.set(\.note, to: "3") }
            }
            try expectEqual(try await client.delete(TextKeyed.self, key: keys[0]), true)
            try expectEqual(try await client.findAll(TextKeyed.self).map(\.code), [keys[1]])
        },
        promise(.limits, "a longer text key is refused by every write") { client in
            try await client.insert(TextKeyed("a"))
            let long = String(repeating: "é", count: 200) + "a"
            let error = try await expectError(.invalidValue) {
                try await client.insert(TextKeyed(long))
            }
            try expectEqual(error.entity, "TextKeyed")
            try await expectError(.invalidValue) {
                try await client.upsert([TextKeyed("b"), TextKeyed(long)])
            }
            try await expectError(.invalidValue) { try await client.update(TextKeyed(long)) }
            try expectEqual(try await client.findAll(TextKeyed.self).map(\.code), ["a"])
        },
        promise(.limits, "a longer text key is refused by every look-up") { client in
            let long = String(repeating: "x", count: 100_000)
            try await expectError(.invalidValue) {
                _ = try await client.find(TextKeyed.self, key: long)
            }
            try await expectError(.invalidValue) {
                try await client.delete(TextKeyed.self, keys: ["a", long])
            }
            try await expectError(.invalidValue) {
                try await client.update(TextKeyed.self, key: long) { $0.set(\.note, to: "x") }
            }
            try expectEqual(try await client.count(TextKeyed.where { $0.code == long }), 0)
            try expectEqual(try await client.count(TextKeyed.where { $0.code < long }), 0)
        },
        promise(.limits, "the text in a composite key is measured as a whole") { client in
            let series = String(repeating: "s", count: 400)
            try await client.insert(Issue(series, 1))
            try expectEqual(
                try await client.find(Issue.self, key: .init(series, 1))?.series,
                series
            )
            let long = series + "s"
            try await expectError(.invalidValue) { try await client.insert(Issue(long, 1)) }
            try expectEqual(try await client.count(Issue.all), 1)
        },
        promise(.limits, "long indexed texts that differ at the end are told apart") { client in
            let long = String(repeating: "x", count: 5_000)
            let names = ["", "a", "b", "ab"].map { long + $0 }
            try await client.insert(names.enumerated().reversed().map { Hero($0, $1) })
            for (id, name) in names.enumerated() {
                try expectEqual(
                    try await client.fetch(Hero.where { $0.name == name }).map(\.id),
                    [id]
                )
            }
            let sorted = [0, 1, 3, 2]
            try expectEqual(
                try await client.fetch(Hero.all.sorted { $0.name }).map(\.id),
                sorted
            )
            try expectEqual(
                try await client.fetch(Hero.all.sorted { $0.name.descending }).map(\.id),
                sorted.reversed()
            )
            let second = names[1]
            try expectEqual(
                try await client.fetch(Hero.where { $0.name > second }).map(\.id),
                [2, 3]
            )
            try expectEqual(
                try await client.fetch(Hero.where { $0.name <= second }).map(\.id),
                [0, 1]
            )
            try expectEqual(
                try await client.fetch(Hero.where { $0.name.hasPrefix(second) }).map(\.id),
                [1, 3]
            )
            try expectEqual(try await client.distinct(\.name, of: Hero.all).count, 4)
            try await client.delete(Hero.self, key: 1)
            try expectEqual(try await client.count(Hero.where { $0.name == second }), 0)
        },
        promise(.limits, "long unique texts are compared to their ends", requires: [.uniqueIndexes])
        {
            client in
            let long = String(repeating: "x", count: 5_000)
            try await client.insert([Account(1, email: long + "a"), Account(2, email: long + "b")])
            try await expectError(.uniqueViolation) {
                try await client.insert(Account(3, email: long + "a"))
            }
            try await client.insert(Account(3, tenant: long, login: long + "a"))
            try await client.insert(Account(4, tenant: long, login: long + "b"))
            try await expectError(.uniqueViolation) {
                try await client.insert(Account(5, tenant: long, login: long + "b"))
            }
            try await client.update(Account.self, key: 1) { $0.set(\.email, to: long + "c") }
            try await client.insert(Account(5, email: long + "a"))
        },
        promise(.limits, "an indexed text of a megabyte") { client in
            let long = String(repeating: "y", count: 1_000_000)
            try await client.insert([Hero(1, long), Hero(2, long + "z"), Hero(3, "y")])
            try expectEqual(try await client.fetch(Hero.where { $0.name == long }).map(\.id), [1])
            try expectEqual(
                try await client.fetch(Hero.all.sorted { $0.name }).map(\.id),
                [3, 1, 2]
            )
        },
        promise(.limits, "long indexed data that differ at the end are told apart") { client in
            // Noise, which no engine can compress.
            var generator = SeededGenerator(seed: 5)
            let long = Data((0..<5_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
            let values = [Data(), Data([1]), Data([2]), Data([1, 2])].map { long + $0 }
            try await client.insert(Sample(9, Data([0])))
            try await client.insert(values.enumerated().reversed().map { Sample($0, $1) })
            for (id, bytes) in values.enumerated() {
                try expectEqual(
                    try await client.fetch(Sample.where { $0.bytes == bytes }).map(\.id),
                    [id]
                )
            }
            try expectEqual(
                try await client.fetch(Sample.where { $0.id < 9 }.sorted { $0.bytes }).map(\.id),
                [0, 1, 3, 2]
            )
            try await client.update(Sample(9, values[1]))
            let second = values[1]
            try expectEqual(
                try await client.fetch(Sample.where { $0.bytes == second }).map(\.id),
                [1, 9]
            )
            try await client.delete(Sample.self, keys: [1, 9])
            try expectEqual(try await client.count(Sample.where { $0.bytes == second }), 0)
        },
        promise(.limits, "indexed texts around every length of an index entry") { client in
            let lengths = Array(370...530) + [1_000, 1_022, 1_023, 1_024, 2_000]
            try await client.insert(lengths.map { Hero($0, String(repeating: "n", count: $0)) })
            try expectEqual(
                try await client.fetch(Hero.all.sorted { $0.name }).map(\.id),
                lengths
            )
            for length in lengths {
                let name = String(repeating: "n", count: length)
                try expectEqual(
                    try await client.fetch(Hero.where { $0.name == name }).map(\.id),
                    [length]
                )
            }
            let name = String(repeating: "n", count: 500)
            try expectEqual(
                try await client.fetch(Hero.where { $0.name > name }).map(\.id),
                lengths.filter { $0 > 500 }
            )
        },
    ]
}
