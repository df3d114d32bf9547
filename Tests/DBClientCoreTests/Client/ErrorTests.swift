import DBClientCore
import Foundation
import Testing
import TrustRow

@Suite("Errors")
struct ErrorTests {
    private let error = DBClientError(
        .duplicateKey,
        "There is a value with this primary key.",
        entity: "Character",
        field: "identifier",
        key: "secret key",
        hint: "Use upsert.",
        engineCode: 1_555,
        engineMessage: "secret message",
        underlying: Secret(value: "secret cause")
    )

    private struct Secret: Error {
        let value: String
    }

    @Test(
        "The description tells code, place, message, hint and the engine's code, and no values",
        .counts(for: "R17", part: "errors")
    )
    func description() {
        #expect(
            error.description
                == "duplicateKey (Character.identifier): There is a value with this primary key. "
                + "Use upsert. [engine code 1555]"
        )
    }

    @Test("An engine's code is a number or the characters of an SQLSTATE")
    func engineCode() {
        #expect(error.engineCode == 1_555 && error.engineCode != "1555")
        let server = DBClientError(.engine, "It failed.", engineCode: "42P01")
        #expect(server.engineCode == .sqlState("42P01"))
        #expect(server.description == "engine: It failed. [engine code 42P01]")
    }

    @Test(
        "Printing, localising and mirroring an error shows no value",
        .counts(for: "R17", part: "errors")
    )
    func printing() {
        let mirrored = Mirror(reflecting: error).children.map { "\($0.value)" }.joined()
        #expect(mirrored == error.description)
        for text in ["\(error)", String(describing: error), error.localizedDescription] {
            #expect(!text.contains("secret"))
        }
        #expect("\(error)".contains("duplicateKey"))
        #expect(error.localizedDescription == error.message)
        #expect(error.recoverySuggestion == "Use upsert.")
    }

    @Test("The debug description shows everything")
    func debugDescription() {
        for part in [error.description, "secret key", "secret message", "secret cause"] {
            #expect(error.debugDescription.contains(part))
        }
    }

    @Test("The place is as much of entity and field as is known")
    func place() {
        #expect(DBClientError(.closed, "Closed.").description == "closed: Closed.")
        #expect(
            DBClientError(.decoding, "Bad.", entity: "A").description == "decoding (A): Bad."
        )
        #expect(DBClientError(.decoding, "Bad.", field: "f").description == "decoding (f): Bad.")
    }

    @Test("Codes are equal to themselves alone")
    func codes() {
        #expect(DBClientError.Code.notFound == .notFound)
        #expect(DBClientError.Code.notFound != .duplicateKey)
        #expect(DBClientError.Code.notFound.description == "notFound")
    }

    @Test("Errors about requests show no constants", .counts(for: "R17", part: "errors"))
    func requests() {
        let secret = "hush-hush"
        for error in [
            failure { try Condition<Character>.field("power", .equal, secret) },
            failure { try StorageValue.text(secret).decode(as: Alignment.self) },
            failure { try StorageValue.text(secret).decode(as: [Int].self) },
            failure { try StorageValue(storing: secret + "\0") },
            failure { try StorageValue(storing: [secret + "\0"]) },
        ] {
            #expect(error != nil)
            #expect(error?.description.contains(secret) == false)
        }
    }
}
