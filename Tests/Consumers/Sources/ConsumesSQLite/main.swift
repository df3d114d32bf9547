import DBClientCore
import DBClientSQLite
import Notes

let client: any DBClient = try SQLDBClient.sqlite(.inMemory)
let note = Note(identifier: 1, text: "kept")
try await client.insert(note)
let found = try await client.find(Note.self, key: 1)
print(found == note ? "ConsumesSQLite: kept" : "ConsumesSQLite: lost")
