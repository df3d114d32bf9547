// A second process for tests: opens a store and writes rows one by one, each in its own durable commit,
// telling every one once it is acknowledged; or fills the disk of a folder.
//
//     StoreChild object-store|sqlite PATH FIRST COUNT
//     StoreChild fill object-store|sqlite FOLDER
//     StoreChild open-full object-store|sqlite FOLDER
//     StoreChild size-limit object-store|sqlite FOLDER
//     StoreChild fail|forgive write|sync ERROR-NUMBER object-store|sqlite FOLDER
//     StoreChild without-permission object-store|sqlite FOLDER
//     StoreChild promise object-store|sqlite PATH FIRST COUNT
//     StoreChild hold object-store|sqlite PATH
//     StoreChild fork|fork-beside object-store|sqlite PATH
//     StoreChild without-descriptors PATH TIME-OUT
//     StoreChild without-room|lose-map PATH
//     StoreChild follow-without-room PATH MEGABYTES
//     StoreChild little-room object-store|sqlite PATH ROWS
//     StoreChild jumping-clock object-store|sqlite PATH SEED WRITES
//     StoreChild wait-under-set-clock object-store|sqlite|postgresql PATH|SCHEMA
//     StoreChild wait-by-clock-of-day
//     StoreChild bank object-store|sqlite PATH TIMES WRITER …
//     StoreChild kept object-store|sqlite PATH SEED COMMITS
//     StoreChild tally object-store|sqlite PATH SEED COMMITS
//     StoreChild former-tally object-store|sqlite PATH ID
//     StoreChild edit|watch|journal|damage|strip PATH
//     StoreChild random PATH SEED COUNT
//     StoreChild migrate object-store|sqlite PATH COUNT
//     StoreChild make rename|link|in-place PATH kill|wait TIME
//     StoreChild race rename|link|in-place FOLDER ID COUNT START
//     StoreChild make-damageable object-store|sqlite FILE FORMER
//     StoreChild use-damaged object-store|sqlite FILE FORMER FOLDER SEED FIRST COUNT open|verify|unverified|rot
//     StoreChild use-bytes FILE FOLDER FIRST COUNT [open|unverified]
//     StoreChild soak object-store|sqlite PATH SECONDS none|read|results PAUSE
//     StoreChild begin-and-cancel object-store|sqlite PATH ROUNDS
//     StoreChild die-after-commit PATH ID
//     StoreChild ids PATH
//     StoreChild open-full|hold-full|crowd-full FOLDER
//     StoreChild read-and-wait PATH
//     StoreChild convert-jobs object-store|sqlite|postgresql PATH|SCHEMA
//     StoreChild adapt-jobs object-store|sqlite|postgresql PATH|SCHEMA
//     StoreChild work-on object-store|sqlite|postgresql PATH|SCHEMA FILE
//     StoreChild power-cut record|observe object-store|sqlite full|relaxed FOLDER RECORD SEED CALLERS WRITES
//     StoreChild power-cut images (the same) IMAGES SCRATCH-FOLDER
//     StoreChild cut-kernel-power object-store|sqlite full|relaxed|promised IMAGE FOLDER SEED COUNT
//     StoreChild write-durably object-store|sqlite full|relaxed|promised PATH FIRST
//
// One that holds stays in a transaction that writes until its input ends.
//
// A negative count deletes that many rows instead, from FIRST on, in one commit.

import CFaults
import DBClientCore
import Foundation
import StoreEntry

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == "fill" {
    fillDisk(engine: arguments[2], folder: URL(fileURLWithPath: arguments[3]))
    exit(0)
}
if arguments.count == 4, arguments[1] == "open-full" {
    try openOnFullDisk(engine: arguments[2], folder: URL(fileURLWithPath: arguments[3]))
    exit(0)
}
if arguments.count == 4, arguments[1] == "size-limit" {
    try reachSizeLimit(engine: arguments[2], folder: URL(fileURLWithPath: arguments[3]))
    exit(0)
}
if arguments.count == 4, arguments[1] == "without-permission" {
    writeWithoutPermission(engine: arguments[2], folder: URL(fileURLWithPath: arguments[3]))
    exit(0)
}
if arguments.count == 6, ["fail", "forgive"].contains(arguments[1]), let error = Int32(arguments[3])
{
    try failCalls(
        arguments[2] == "sync" ? faults_sync : faults_write,
        error: error,
        engine: arguments[4],
        folder: URL(fileURLWithPath: arguments[5]),
        forgives: arguments[1] == "forgive"
    )
    exit(0)
}
if arguments.count == 6, arguments[1] == "promise", let first = Int(arguments[4]),
    let count = Int(arguments[5])
{
    try promise(first..<first + count, arguments[2], URL(fileURLWithPath: arguments[3]))
    exit(0)
}
if arguments.count == 4, arguments[1] == "hold" {
    let client = try openStore(engine: arguments[2], at: URL(fileURLWithPath: arguments[3]))
    try client.writeBlocking { transaction in
        try transaction.insert(Entry(1))
        FileHandle.standardOutput.write(Data("holds\n".utf8))
        while readLine() != nil {}
    }
    try client.close()
    exit(0)
}
if arguments.count == 4, arguments[1] == "fork-beside" {
    try forkBeside(engine: arguments[2], URL(fileURLWithPath: arguments[3]))
    exit(0)
}
if arguments.count == 4, arguments[1] == "fork" {
    try forkWithin(engine: arguments[2], URL(fileURLWithPath: arguments[3]))
    exit(0)
}
if arguments.count == 4, arguments[1] == "without-descriptors", let timeout = Int(arguments[3]) {
    try writeWithoutDescriptors(URL(fileURLWithPath: arguments[2]), .milliseconds(timeout))
    exit(0)
}
if arguments.count == 3, arguments[1] == "without-room" {
    try growWithoutRoom(URL(fileURLWithPath: arguments[2]))
    exit(0)
}
if arguments.count == 3, arguments[1] == "lose-map" {
    try loseMap(URL(fileURLWithPath: arguments[2]))
    exit(0)
}
if arguments.count == 4, arguments[1] == "follow-without-room", let room = Int(arguments[3]) {
    try followWithoutRoom(URL(fileURLWithPath: arguments[2]), megabytes: room)
    exit(0)
}
if arguments.count == 5, arguments[1] == "migrate", let times = Int(arguments[4]) {
    try migrate(engine: arguments[2], URL(fileURLWithPath: arguments[3]), times: times)
    exit(0)
}
if arguments.count == 5, arguments[1] == "little-room", let rows = Int(arguments[4]) {
    try workWithLittleRoom(arguments[2], URL(fileURLWithPath: arguments[3]), rows: rows)
    exit(0)
}
if arguments.count == 6, arguments[1] == "jumping-clock", let seed = UInt64(arguments[4]),
    let writes = Int(arguments[5])
{
    let url = URL(fileURLWithPath: arguments[3])
    try workUnderJumpingClock(arguments[2], url, seed: seed, writes: writes)
    exit(0)
}
if try runClockWaitCommand(Array(arguments.dropFirst())) { exit(0) }
if try runKernelPowerCommand(Array(arguments.dropFirst())) { exit(0) }
if try runSoakCommand(Array(arguments.dropFirst())) { exit(0) }
if try runDamageCommand(Array(arguments.dropFirst())) { exit(0) }
if try runDiskCommand(Array(arguments.dropFirst())) { exit(0) }
if try runKeptCommand(Array(arguments.dropFirst())) { exit(0) }
if try runTallyCommand(Array(arguments.dropFirst())) { exit(0) }
if try runBankCommand(Array(arguments.dropFirst())) { exit(0) }
if try runMakeCommand(Array(arguments.dropFirst())) { exit(0) }
if try runPowerCutCommand(Array(arguments.dropFirst())) { exit(0) }
if try runJournalCommand(Array(arguments.dropFirst())) { exit(0) }
if try runConvertCommand(Array(arguments.dropFirst())) { exit(0) }
if try runAdaptCommand(Array(arguments.dropFirst())) { exit(0) }
if try runWorkCommand(Array(arguments.dropFirst())) { exit(0) }
guard arguments.count == 5, let first = Int(arguments[3]), let count = Int(arguments[4]) else {
    FileHandle.standardError.write(
        Data("usage: StoreChild object-store|sqlite PATH FIRST COUNT | fill ENGINE FOLDER\n".utf8)
    )
    exit(64)
}
let url = URL(fileURLWithPath: arguments[2])
do {
    let client = try openStore(engine: arguments[1], at: url)
    if count < 0 {
        try client.blocking.delete(Entry.self, keys: Array(first..<first - count))
        FileHandle.standardOutput.write(Data("\(first)\n".utf8))
    }
    for id in first..<first + max(count, 0) {
        try client.blocking.insert(Entry(id))
        FileHandle.standardOutput.write(Data("\(id)\n".utf8))
    }
    try client.close()
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
