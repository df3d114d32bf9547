import DBClientCore
import Foundation
import StoreEntry

/// Opens stores in a folder and writes to them, one that is there and a new one, and prints what came of it.
///
/// The system lets its administrator write everywhere, so the process first gives up its rights.
func writeWithoutPermission(engine: String, folder: URL) {
    if getuid() == 0 {
        guard let nobody = getpwnam("nobody")?.pointee, setgid(nobody.pw_gid) == 0,
            setuid(nobody.pw_uid) == 0
        else { return print("impossible") }
    }
    for name in ["old", "new"] {
        let store = folder.appendingPathComponent("\(name).store")
        print(
            name,
            code {
                let client = try openStore(engine: engine, at: store)
                try client.blocking.insert(Entry(4))
                try client.close()
            }
        )
    }
}
