// The tests of encrypted SQLite files, a program of their own, since SQLCipher takes the place of SQLite in all of it.
//
//     EncryptedSQLite conformance [CONCERN,…]     the whole suite, on an encrypted file
//     EncryptedSQLite differential [SEQUENCES]
//     EncryptedSQLite checks [PART-OF-NAME]        what is about keys
//     EncryptedSQLite measure                      what a key costs
//
// Processes that the checks start:
//
//     EncryptedSQLite write PATH KEY FIRST         writes rows, each in a commit, and tells each one
//     EncryptedSQLite rekey PATH KEY NEW-KEY       tells when it begins and when it has ended
//     EncryptedSQLite read PATH KEY                reads all until it fails, and tells with which code

import Foundation

var arguments = CommandLine.arguments.dropFirst()
let command = arguments.popFirst() ?? ""
let isSuccess: Bool
switch command {
case "conformance": isSuccess = await runConformance(arguments.first)
case "differential": isSuccess = await runDifferential(arguments.first)
case "checks": isSuccess = await Check.run(arguments.first)
case "measure":
    try await Measure.run()
    isSuccess = true
case "write", "rekey", "read":
    try await Child.run(command, Array(arguments))
    isSuccess = true
default:
    tell("Unknown command: \(command)")
    isSuccess = false
}
exit(isSuccess ? 0 : 1)
