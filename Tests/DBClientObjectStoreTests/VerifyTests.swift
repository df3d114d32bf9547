import DBClientCore
import DBClientObjectStore
import Foundation
import Testing

@Suite struct VerifyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let client = try ObjectStoreDBClient(at: folder.store)
        let long = String(repeating: "long ", count: 4_000)
        try client.blocking.insert(
            (1...3_000).map {
                Note($0, $0 % 500 == 0 ? long : "title \($0)", folder: $0 % 9, code: "code \($0)")
            }
        )
        try client.blocking.delete(Note.where { $0.folder == 4 })
        try client.close()
    }

    @Test func aSoundStorePasses() throws {
        try ObjectStoreDBClient.verify(at: folder.store)
    }

    /// Damages one place of each page in turn.
    ///
    /// What the check lets pass must not matter: the rows
    /// read afterwards are those that were written.
    @Test func damageIsFound() throws {
        let sound = try Data(contentsOf: folder.store)
        let client = try ObjectStoreDBClient(at: folder.store)
        let notes = try client.blocking.fetch(Note.all)
        try client.close()
        var random = SystemRandomNumberGenerator()
        var found = 0
        let pages = sound.count / 4096
        for page in stride(from: 2, to: pages, by: max(pages / 150, 1)) {
            var damaged = sound
            let range = page * 4096..<(page + 1) * 4096
            switch page % 3 {
            case 0: damaged.resetBytes(in: range)
            case 1: damaged[Int.random(in: range, using: &random)] ^= 0xFF
            default:
                for place in range {
                    damaged[place] = UInt8.random(in: .min ... .max, using: &random)
                }
            }
            try damaged.write(to: folder.store)
            do {
                try ObjectStoreDBClient.verify(at: folder.store)
            } catch let error as DBClientError {
                #expect(error.code == .corrupt)
                found += 1
                continue
            }
            let client = try ObjectStoreDBClient(at: folder.store)
            #expect(try client.blocking.fetch(Note.all) == notes, "page \(page)")
            try client.close()
        }
        #expect(found > 50)
    }
}
