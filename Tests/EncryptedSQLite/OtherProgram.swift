import Foundation
import GRDB

/// What another program does with an encrypted file by SQLCipher's own statements.
enum OtherProgram {
    static func run(_ sql: String, _ url: URL) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            let key = Keys.hexadecimal(Keys.firstBytes)
            try database.execute(sql: "PRAGMA key = \"x'\(key)'\"")
        }
        let queue = try DatabaseQueue(path: url.path, configuration: configuration)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }
}
