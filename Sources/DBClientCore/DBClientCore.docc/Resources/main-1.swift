import DBClientCore
import DBClientObjectStore
import Foundation

let url = URL(fileURLWithPath: "my-heroes.store")
let client: any DBClient = try ObjectStoreDBClient(at: url)
