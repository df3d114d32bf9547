import DBClientCore
import DBClientPostgreSQL
import Notes

// There is no server at this port; what counts is what the program links and how it fails.
do {
    let client: any DBClient = try await SQLDBClient.postgreSQL(
        "postgres://nobody@127.0.0.1:1/none"
    )
    try await client.insert(Note(identifier: 1, text: "kept"))
    print("ConsumesPostgreSQL: somebody listens at port 1")
} catch let error as DBClientError where error.code == .connectionLost {
    print("ConsumesPostgreSQL: no server, as expected")
}
